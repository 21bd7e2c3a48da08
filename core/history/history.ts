/**
 * History over HTTP: what a finished call leaves behind, and how it is asked for.
 *
 * | route | answer |
 * |---|---|
 * | `GET    /api/history?tool=&source=&outcome=&verdict=&origin=&text=&since=&until=&pinned=&limit=&cursor=` | HistoryPage, newest first |
 * | `GET    /api/history/{id}` | StoredInvocation |
 * | `PATCH  /api/history/{id}` {pinned} | InvocationSummary |
 * | `DELETE /api/history/{id}` | {deleted} |
 * | `DELETE /api/history?<filters>&includePinned=` | {deleted}: pinned calls stay unless told |
 * | `GET    /api/history/export?<filters>` | JSON Lines, one StoredInvocation a line, newest first |
 * | `GET    /api/tools/{ref, percent-encoded}/stats` | ToolStats |
 * | `GET    /api/store` | StoreState |
 * | `GET    /api/events` | SSE `store`: data is a StoreEvent as JSON |
 */
import { z } from 'zod'
import type { CallEvent, ValidationVerdict } from '../call/invocation.ts'
import type { AppErrorShape } from '../errors.ts'
import type { InvocationOrigin, InvocationOutcome } from './filter-values.ts'
import { invocationOrigins, outcomeFilters, verdictFilters } from './filter-values.ts'

/** Where a call came from. */
export const invocationOrigin = z.enum(invocationOrigins)

/** A day (`2026-11-21`, UTC) or an instant (ISO 8601 with a zone); milliseconds since 1970 once parsed. */
const moment = z
  .string()
  .refine(text => /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text), {
    message: 'is not a date like 2026-11-21 or 2026-11-21T10:00:00Z',
  })
  .transform((text, context) => {
    const milliseconds = Date.parse(text)
    if (!Number.isNaN(milliseconds)) return milliseconds
    context.addIssue({ code: 'custom', message: 'is not a date' })
    return z.NEVER
  })

/** A flag of a query string: `1`, `true`, and the bare name say yes. */
const flag = z
  .enum(['', '0', '1', 'true', 'false'])
  .transform(text => text === '' || text === '1' || text === 'true')

/** Which calls are meant. Everything given must hold. */
export const historyFilters = z.object({
  /** A tool's reference or its name. */
  tool: z.string().min(1).max(10_000).optional(),
  source: z.string().min(1).max(1000).optional(),
  outcome: z.enum(outcomeFilters).optional(),
  /** Of the output. */
  verdict: z.enum(verdictFilters).optional(),
  origin: invocationOrigin.optional(),
  /** Words of the tool's name, the input or the result; all must be there, each may be the beginning of a longer one. */
  text: z.string().max(500).optional(),
  /** The call started at this time or later. */
  since: moment.optional(),
  /** The call started before this time. */
  until: moment.optional(),
  pinned: flag.optional(),
})
export type HistoryFilters = z.infer<typeof historyFilters>

/** Query of `GET /api/history`. */
export const historyQuery = historyFilters.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Opaque: `nextCursor` of the page before. */
  cursor: z.string().max(40).optional(),
})

/** Query of `DELETE /api/history`. */
export const clearQuery = historyFilters.extend({ includePinned: flag.optional() })

/** Body of `PATCH /api/history/{id}`. */
export const pinBody = z.object({ pinned: z.boolean() })

/** A row of the list. */
export interface InvocationSummary {
  readonly id: string
  readonly ref: string
  readonly source: string
  readonly tool: string
  readonly origin: InvocationOrigin
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly outcome: InvocationOutcome
  readonly inputVerdict: ValidationVerdict
  /** Of the output. */
  readonly verdict: ValidationVerdict
  /** The beginning of the input, on one line, 200 characters at most. */
  readonly preview: string
  /** What went wrong, in one line. */
  readonly message?: string
  /** SHA-256 of the canonical input schema, hex, first 16 digits: as in ToolDetail. */
  readonly schemaHash?: string
  /** The snapshot of the source's manifest at the time of the call. */
  readonly snapshotId?: string
  readonly pinned: boolean
  /** Bytes of input, result and logs before compression. */
  readonly size: number
}

export interface HistoryPage {
  readonly invocations: readonly InvocationSummary[]
  readonly nextCursor?: string
}

/** A call with its bodies. */
export interface StoredInvocation extends InvocationSummary {
  /** The input that was sent, `secretMarker` in the place of each secret. */
  readonly inputText: string
  /** Secrets were left out: they have to be entered again before the call is repeated. */
  readonly inputMasked: boolean
  /** The text in the place of each secret. Absent in calls of older versions, whose secrets left no trace. */
  readonly secretMarker?: string
  /** What was too large and is kept only in part. */
  readonly cut: readonly ('input' | 'result' | 'logs')[]
  /** The events as they came while the call ran, log lines joined: `started`, logs, `result` or `failure`. */
  readonly events: readonly CallEvent[]
}

/** How a tool has done, over its newest calls. */
export interface ToolStats {
  readonly ref: string
  /** How many calls the numbers are about: the newest 5,000 at most. */
  readonly calls: number
  /** Older calls were left out. */
  readonly more: boolean
  readonly failures: number
  readonly outputViolations: number
  /** Milliseconds; absent without calls. */
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly lastAt?: string
  /** The newest 60 calls, oldest first. */
  readonly recent: readonly {
    readonly id: string
    readonly startedAt: string
    readonly durationMs: number
    readonly outcome: InvocationOutcome
    readonly verdict: ValidationVerdict
  }[]
}

/** Whether there is memory, and where. */
export interface StoreState {
  readonly state: 'ready' | 'off'
  readonly where: string
  readonly kind: 'sqlite' | 'postgres'
  readonly error?: AppErrorShape
}

/** Data of the SSE event `store`. `status`: the state changed, ask `/api/store`; id `*`: many rows changed. */
export interface StoreEvent {
  readonly kind: 'invocation' | 'snapshot' | 'example' | 'status'
  readonly id: string
}
