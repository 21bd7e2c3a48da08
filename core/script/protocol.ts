/** The messages between a run and its sandbox (a worker of the browser or of Node), and its limits. Only plain data. */

/** Messages to the sandbox. `start` comes once, since one sandbox serves one run. */
export type ToSandbox =
  | {
      readonly type: 'start'
      readonly script: string
      /** Names of the commands that the run answers: tools, `help`, `discover`. */
      readonly commands: readonly string[]
      /** Whether the script may use its own files. */
      readonly files: boolean
      readonly limits: ScriptLimits
    }
  | ({ readonly type: 'answer'; readonly id: number } & CommandAnswer)

/** The result of a command that the run answers. */
export interface CommandAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Messages from the sandbox. The last is `ended` or `refused`; a sandbox that breaks dies without a message. */
export type FromSandbox =
  | { readonly type: 'ready' }
  | {
      readonly type: 'command'
      readonly id: number
      readonly name: string
      readonly words: readonly string[]
      readonly stdin: string | null
    }
  /** A draft may differ from the script's real output; `whole` of the end replaces all drafts. */
  | { readonly type: 'output'; readonly stdout: string; readonly stderr: string; readonly draft: boolean }
  | {
      readonly type: 'ended'
      readonly exitCode: number
      readonly truncated: boolean
      readonly whole?: { readonly stdout: string; readonly stderr: string }
    }
  /** The engine stopped: a limit, or a script that it cannot parse. */
  | { readonly type: 'refused'; readonly message: string }

/** The run's view of a sandbox. */
export interface Sandbox {
  send(message: ToSandbox): void
  /** Called once, before the first message is sent. */
  listen(onMessage: (message: FromSandbox) => void, onDeath: (message: string) => void): void
  /** Ends the sandbox immediately, whatever it does. */
  end(): void
}

/** The resources of a script. A limit ends the run or cuts its output. */
export interface ScriptLimits {
  /** Milliseconds of wall clock for the whole run. */
  readonly timeMs: number
  /** Maximum commands that the engine runs; a tool's call counts as about five. */
  readonly commands: number
  /** Maximum turns of one loop. */
  readonly loopTurns: number
  /** Maximum calls of tools. */
  readonly calls: number
  /** Maximum characters of stdout and of stderr, each; more output is cut off with a message. */
  readonly output: number
  /** Maximum characters of one tool's result that reach the script. */
  readonly toolOutput: number
  /** Maximum bytes of the engine's memory. */
  readonly memory: number
}

/** The engine itself allows at most 100,000 commands and 1 MiB of output. */
export const defaultScriptLimits: ScriptLimits = {
  timeMs: 300_000,
  commands: 20_000,
  loopTurns: 10_000,
  calls: 1_000,
  output: 1_000_000,
  toolOutput: 16_000_000,
  memory: 256 * 1024 * 1024,
}

/** The engine's message for an unknown command. It has no line break, so the next message would be on the same line. */
const unknownCommand =
  'bash: [^\\n]*?: command not found(?:\\. Did you mean: [^?\\n]*\\?)?(?!\\. Did you mean: )'
const openLine = new RegExp(`^${unknownCommand}$`)
const gluedLine = new RegExp(`(?<=^|command not found|\\?)${unknownCommand}(?=[^\\n])`, 'gm')

/** Joins new output to a stream's output: text after an unknown command's message begins a new line. */
export function joinOutput(before: string, text: string): string {
  // Output is long, so only these ends are matched.
  const mayBeOpen = text !== '' && (before.endsWith('?') || before.endsWith('command not found'))
  const isOpen = mayBeOpen && openLine.test(before.slice(before.lastIndexOf('\n') + 1))
  return isOpen ? `${before}\n${text}` : before + text
}

/** Does the same for text that is already joined. */
export const splitGluedLines = (stderr: string) => stderr.replace(gluedLine, '$&\n')

/** The name of a saved script must be a valid file name on every system. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** Returns why a text cannot name a script; undefined if it can. */
export function scriptNameProblem(name: string): string | undefined {
  if (pattern.test(name)) return undefined
  return 'A script’s name has letters, digits, "_", "." and "-", begins with a letter or digit, and has 64 characters at most.'
}
