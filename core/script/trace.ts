/** The events of a run, and its result. */
import type { CallEvent, ValidationVerdict } from '../tool/invocation.ts'

/**
 * `result` and `failure` are calls that were made; `refused` is one that was not (flags or schema, or an unconfirmed
 * destructive tool); `dry-run` is a check without a call; `cancelled` was ended with its run or by the script.
 */
export type TraceStatus = 'running' | 'result' | 'failure' | 'refused' | 'dry-run' | 'cancelled'

/** One use of a tool in a script. */
export interface TraceEntry {
  /** From 1, in the order of the calls. */
  readonly id: number
  readonly command: string
  readonly ref: string
  /** The exact JSON text of the input; empty if the flags could not be read. */
  readonly input: string
  /** Milliseconds since the run began. */
  readonly startMs: number
  readonly durationMs: number
  readonly status: TraceStatus
  /** Whether the output matches the tool's output schema. */
  readonly verdict?: ValidationVerdict
  readonly exitCode?: number
  /** Why the call failed or was refused, in one line. */
  readonly message?: string
  /** The beginning of the stdout that the script got. */
  readonly output?: string
  /** Characters of the whole output, if `output` is only its beginning. */
  readonly outputLength?: number
}

/** How a run ended: by itself, at a limit, by its user, because the script is not bash, or because the engine broke. */
export type ScriptEnding = 'finished' | 'limit' | 'cancelled' | 'syntax' | 'broken'

export interface ScriptEnd {
  readonly ending: ScriptEnding
  /** The script's own; 124 at a limit, 130 if cancelled, 2 for bad syntax, 125 if the engine broke. */
  readonly exitCode: number
  readonly message?: string
  readonly durationMs: number
}

export type ScriptEvent =
  /** Provisional output, while the final output is uncertain; the `output` events before the end repeat all of it. */
  | { readonly type: 'draft'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A trace entry was added or changed; the newest with an id counts. */
  | { readonly type: 'trace'; readonly entry: TraceEntry }
  /** An event of a trace entry's call, to show it. */
  | { readonly type: 'call'; readonly id: number; readonly event: CallEvent }
  | { readonly type: 'end'; readonly end: ScriptEnd }
