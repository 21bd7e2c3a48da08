/** What a script may use up. Each limit ends the run, or its output, by itself. */
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
