/** History: the stored calls, and the state of the store. */
import { z } from 'zod'
import { list, queryFlag } from '../json/zod-shapes.ts'
import { failureReasons } from '../tool/invocation.ts'
import { appError } from '../tool/shapes.ts'
import { callEvent } from './calls.ts'
import { audited, defineEndpoints } from './endpoint.ts'
import { invocationOrigins, outcomeFilters, verdictFilters } from './history-filters.ts'

/** A day (`2026-11-21`, UTC) or an instant (ISO 8601 with a zone), parsed to milliseconds since 1970. */
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

/** Selects calls. A call must match every given filter. */
export const historyFilters = z.object({
  /** A tool's reference or name. */
  tool: z.string().min(1).max(10_000).optional(),
  source: z.string().min(1).max(1000).optional(),
  outcome: z.enum(outcomeFilters).optional(),
  /** The verdict on the output. */
  verdict: z.enum(verdictFilters).optional(),
  origin: z.enum(invocationOrigins).optional(),
  /** The name of the person that called. */
  person: z.string().min(1).max(200).optional(),
  /** Words in the tool's name, the input or the result. All must match; each may be the start of a longer word. */
  text: z.string().max(500).optional(),
  /** Calls that started at this time or later. */
  since: moment.optional(),
  /** Calls that started before this time. */
  until: moment.optional(),
  pinned: queryFlag.optional(),
})
export type HistoryFilters = z.infer<typeof historyFilters>

const verdict = z.enum(verdictFilters)
/** `ok`, the failure reason, or `unfinished`: the call still runs, or Toolscope was killed before it ended. */
const outcome = z.enum(['ok', 'unfinished', ...failureReasons])

const invocationSummary = z.object({
  id: z.string(),
  ref: z.string(),
  source: z.string(),
  tool: z.string(),
  origin: z.enum(invocationOrigins),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  durationMs: z.number(),
  outcome,
  inputVerdict: verdict,
  /** The verdict on the output. */
  verdict,
  /** The first 200 characters of the input, on one line. */
  preview: z.string(),
  /** The failure, in one line. */
  message: z.string().exactOptional(),
  /** SHA-256 of the canonical input schema, first 16 hex digits, as in ToolDetail. */
  schemaHash: z.string().exactOptional(),
  /** The snapshot of the source's manifest at the time of the call. */
  snapshotId: z.string().exactOptional(),
  /** The name of the person that called; absent for the operator. */
  person: z.string().exactOptional(),
  pinned: z.boolean(),
  /** Bytes of input, result and logs before compression. */
  size: z.number(),
})
export type InvocationSummary = z.infer<typeof invocationSummary>

const historyPage = z.object({
  invocations: list(invocationSummary),
  nextCursor: z.string().exactOptional(),
})
export type HistoryPage = z.infer<typeof historyPage>

/** A call with its bodies. */
const storedInvocation = invocationSummary.extend({
  /** The input that was sent, with `secretMarker` for each secret. */
  inputText: z.string(),
  /** Whether secrets were left out. The user must enter them again before the call is repeated. */
  inputMasked: z.boolean(),
  /** The text that replaces each secret. Absent in calls of older versions, which removed secrets without a marker. */
  secretMarker: z.string().exactOptional(),
  /** The parts that were too large to be stored whole. */
  cut: list(z.enum(['input', 'result', 'logs'])),
  /** The agent's variables of the call; null for a secret or a value that is too long to store. */
  variables: z.record(z.string(), z.string().nullable()).exactOptional(),
  /**
   * `started`, `input-validation`, the output without the result, each question with its answer, the last `progress`, and
   * `result` or `failure` (neither if unfinished). Output of one stream is joined.
   */
  events: list(callEvent),
})
export type StoredInvocation = z.infer<typeof storedInvocation>

/** Statistics of a tool's newest calls. */
const toolStats = z.object({
  ref: z.string(),
  /** How many calls are counted: at most the newest 5,000. */
  calls: z.number(),
  /** Whether older calls were left out. */
  more: z.boolean(),
  failures: z.number(),
  outputViolations: z.number(),
  /** Milliseconds; absent without calls. */
  p50Ms: z.number().exactOptional(),
  p95Ms: z.number().exactOptional(),
  lastAt: z.string().exactOptional(),
  /** The newest 60 calls, oldest first. */
  recent: list(
    invocationSummary.pick({ id: true, startedAt: true, durationMs: true, outcome: true, verdict: true }),
  ),
})
export type ToolStats = z.infer<typeof toolStats>

/** Whether the store works, and its location. */
const storeState = z.object({
  state: z.enum(['ready', 'off']),
  where: z.string(),
  kind: z.enum(['sqlite', 'postgres']),
  error: appError.exactOptional(),
})
export type StoreState = z.infer<typeof storeState>

const params = z.object({ id: z.string() })
const deleted = z.object({ deleted: z.number() })

/** Returns the filters as `source=acme since=2026-11-21T00:00:00.000Z`; without filters, all calls match. */
function describeFilters({
  since,
  until,
  ...others
}: HistoryFilters & { readonly includePinned?: boolean | undefined }): string {
  const moments = Object.entries({ since, until }).map(([name, at]) => [
    name,
    at === undefined ? at : new Date(at).toISOString(),
  ])
  const given = [...Object.entries(others), ...moments].filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => `${name}=${value}`).join(' ') || 'all calls'
}

export const historyEndpoints = defineEndpoints({
  'GET /api/history': {
    right: 'read',
    about: 'The kept calls, newest first',
    query: historyFilters.extend({
      limit: z.coerce.number<string | number>().int().min(1).max(200).default(50),
      /** Opaque: `nextCursor` of the previous page. */
      cursor: z.string().max(40).optional(),
    }),
    answer: historyPage,
  },
  'DELETE /api/history': audited({
    right: 'write',
    about: 'Deletes what matches; pinned calls stay unless `includePinned` is set',
    query: historyFilters.extend({ includePinned: queryFlag.optional() }),
    target: ({ query }) => describeFilters(query),
    answer: deleted,
  }),
  'GET /api/history/export': {
    right: 'read',
    about: 'What matches as JSON Lines, one call a line, newest first',
    query: historyFilters,
    format: 'lines',
    /** `skipped`, the last line: how many calls could not be decoded; no such line if there are none. */
    answer: z.union([storedInvocation, z.object({ skipped: z.number() })]),
  },
  'GET /api/history/{id}': {
    right: 'read',
    about: 'One call with its bodies',
    params,
    answer: storedInvocation,
  },
  'PATCH /api/history/{id}': audited({
    right: 'write',
    about: 'Pins a call or unpins it',
    params,
    body: z.object({ pinned: z.boolean() }),
    target: ({ params, body }) => `${params.id} pinned=${body.pinned}`,
    answer: invocationSummary,
  }),
  'DELETE /api/history/{id}': audited({
    right: 'write',
    about: 'Deletes one call',
    params,
    target: ({ params }) => params.id,
    answer: deleted,
  }),
  'GET /api/tools/{ref}/stats': {
    right: 'read',
    about: 'How a tool has done, over its newest 5,000 calls',
    params: z.object({ ref: z.string() }),
    answer: toolStats,
  },
  'GET /api/store': { right: 'read', about: 'Whether the store works, and where it is', answer: storeState },
})
