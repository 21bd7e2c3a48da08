/** The messages between a run and its sandbox (a worker of the browser or of Node), and its limits. Plain data only. */

/** To the sandbox. `start` comes once; one sandbox serves one run. */
export type ToSandbox =
  | {
      readonly type: 'start'
      readonly script: string
      /** Names that are commands of ours: tools, `help`, `discover`. */
      readonly commands: readonly string[]
      /** Whether the script may use files of its own. */
      readonly files: boolean
      readonly limits: ScriptLimits
    }
  | ({ readonly type: 'answer'; readonly id: number } & CommandAnswer)

/** What a command of ours did. */
export interface CommandAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** From the sandbox. `ended` or `refused` comes last; a sandbox that breaks says nothing and dies. */
export type FromSandbox =
  | { readonly type: 'ready' }
  | {
      readonly type: 'command'
      readonly id: number
      readonly name: string
      readonly words: readonly string[]
      readonly stdin: string | null
    }
  /** A draft may differ from what the script really writes: `whole` of the end replaces all drafts. */
  | { readonly type: 'output'; readonly stdout: string; readonly stderr: string; readonly draft: boolean }
  | {
      readonly type: 'ended'
      readonly exitCode: number
      readonly truncated: boolean
      readonly whole?: { readonly stdout: string; readonly stderr: string }
    }
  /** The engine gave up: a limit, or a script that it cannot parse. */
  | { readonly type: 'refused'; readonly message: string }

/** A sandbox as a run sees it. */
export interface Sandbox {
  send(message: ToSandbox): void
  /** Called once, before anything is sent. */
  listen(onMessage: (message: FromSandbox) => void, onDeath: (message: string) => void): void
  /** Ends it at once, whatever it does. */
  end(): void
}

/** What a script may use. Each limit ends the run, or its output. */
export interface ScriptLimits {
  /** Milliseconds of wall clock for the whole run. */
  readonly timeMs: number
  /** Commands that the engine runs; a tool's call counts as about five. */
  readonly commands: number
  /** Turns of one loop. */
  readonly loopTurns: number
  /** Calls of tools. */
  readonly calls: number
  /** Characters of stdout and of stderr, each; what is beyond is cut off and said. */
  readonly output: number
  /** Characters of one tool's result that reach the script. */
  readonly toolOutput: number
  /** Bytes the engine may take for itself. */
  readonly memory: number
}

/** The engine itself goes no further than 100,000 commands and 1 MiB of output. */
export const defaultLimits: ScriptLimits = {
  timeMs: 300_000,
  commands: 20_000,
  loopTurns: 10_000,
  calls: 1_000,
  output: 1_000_000,
  toolOutput: 16_000_000,
  memory: 256 * 1024 * 1024,
}
