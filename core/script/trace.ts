/** What a run tells of itself while it goes on, and what is left of it. */
import type { CallEvent, ValidationVerdict } from '../tool/invocation.ts'

/**
 * `result` and `failure` are calls that were made; `refused` is one that was not (flags or schema, or a destructive
 * tool that nobody confirmed); `dry-run` checked and called nothing; `cancelled` was ended with its run or by the script.
 */
export type TraceStatus = 'running' | 'result' | 'failure' | 'refused' | 'dry-run' | 'cancelled'

/** One use of a tool in a script. */
export interface TraceEntry {
  /** From 1, in the order of the calls. */
  readonly id: number
  readonly command: string
  readonly ref: string
  /** The exact JSON text of the input; empty where the flags could not be read. */
  readonly input: string
  /** Milliseconds since the run began. */
  readonly startMs: number
  readonly durationMs: number
  readonly status: TraceStatus
  /** The output against the tool's output schema. */
  readonly verdict?: ValidationVerdict
  readonly exitCode?: number
  /** Why it failed or was refused, in one line. */
  readonly message?: string
  /** What the script got on stdout, its beginning. */
  readonly output?: string
  /** Characters of the output in all, where `output` is only its beginning. */
  readonly outputLength?: number
}

/** How a run came to its end: by itself, at a limit, by its user, at a script that is no bash, or by a broken engine. */
export type ScriptEnding = 'finished' | 'limit' | 'cancelled' | 'syntax' | 'broken'

export interface ScriptEnd {
  readonly ending: ScriptEnding
  /** The script's own; 124 at a limit, 130 when cancelled, 2 for bad syntax, 125 where the engine broke. */
  readonly exitCode: number
  readonly message?: string
  readonly durationMs: number
}

export type ScriptEvent =
  /**
   * Output as it seems so far, while it cannot be told for certain; the `output` events before the end say all of it
   * again.
   */
  | { readonly type: 'draft'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A trace entry began or changed; the newest under an id counts. */
  | { readonly type: 'trace'; readonly entry: TraceEntry }
  /** What the call of a trace entry said, for those who show it. */
  | { readonly type: 'call'; readonly id: number; readonly event: CallEvent }
  | { readonly type: 'end'; readonly end: ScriptEnd }
