/** The stored form of a call, when it starts and when it ends. History makes it from the call's events. */

import type { InvocationOrigin } from '../../core/api/history-filters.ts'
import type { LogEvent } from '../../core/tool/call-state.ts'
import type { CallTrace, EndedEvent, Validation, ValidationVerdict } from '../../core/tool/invocation.ts'
import type { InvocationOutcome } from '../../core/tool/outcome.ts'

/** The stored parts of a call other than its input. */
export interface ResultBody {
  readonly inputMasked: boolean
  /** The text that replaces each secret of the input. */
  readonly secretMarker?: string | undefined
  readonly cut: readonly ('input' | 'result' | 'logs')[]
  /** The agent's variables of the call; null if a value is not kept. */
  readonly variables?: Readonly<Record<string, string | null>> | undefined
  readonly inputValidation: Validation
  readonly timeoutMs: number
  readonly trace?: CallTrace | undefined
  /** Absent if the call is unfinished. */
  readonly ending?: EndedEvent | undefined
}

/** A call to store: secrets masked, sizes limited. */
export interface InvocationRecord {
  readonly id: string
  readonly ref: string
  readonly source: string
  readonly tool: string
  readonly origin: InvocationOrigin
  /** The name of the person that called. */
  readonly person?: string | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: InvocationOutcome
  readonly inputVerdict: ValidationVerdict
  readonly outputVerdict: ValidationVerdict
  readonly message: string | null
  readonly schemaHash: string | null
  readonly snapshotId: string | null
  readonly inputText: string
  readonly result: ResultBody
  readonly logs: readonly LogEvent[]
}
