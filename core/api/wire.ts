/** The wire: the messages between Toolscope and each source, and recordings of them. Secrets are masked in every answer. */
import { z } from 'zod'
import { parseJson } from '../json/json.ts'
import { list, queryFlag } from '../json/zod-shapes.ts'
import { recordingLine } from '../wire/recording.ts'
import { wireMessage, wireParts } from '../wire/wire-message.ts'
import { rpcKinds, wireRow } from '../wire/wire-row.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'

export type { WireRow, WireViolation } from '../wire/wire-row.ts'

/** The most rows of one answer. */
const maxWireRows = 500

const wirePage = z.object({
  /** In ascending order of `seq`. */
  rows: list(wireRow),
  /** Whether older messages match, of those that the wire has. */
  hasBefore: z.boolean(),
  /** Whether newer messages match. */
  hasAfter: z.boolean(),
  /** The oldest and newest message that the wire has; 0 if it is empty. Pass `lastSeq` as `after` to follow. */
  firstSeq: z.number(),
  lastSeq: z.number(),
  /** How many messages the wire has, and how many of them match. */
  total: z.number(),
  matches: z.number(),
  /** How many were dropped because the wire was full, since it was cleared. */
  dropped: z.number(),
  isPaused: z.boolean(),
  /** When `atMs` was 0; ISO 8601, UTC. */
  startedAt: z.string(),
})
export type WirePage = z.infer<typeof wirePage>

const wireDetail = z.object({ row: wireRow, message: wireMessage })
export type WireDetail = z.infer<typeof wireDetail>

/** A message must match every given filter. */
const wireFilters = z.object({
  /** A part of the text, of a header, an argument or a variable; upper and lower case are the same. */
  text: z.string().max(500).optional(),
  direction: z.enum(['sent', 'received']).optional(),
  part: z.enum(wireParts).optional(),
  kind: z.enum(rpcKinds).optional(),
  /** A method of MCP: `tools/call`. Answers to it match too. */
  method: z.string().max(200).optional(),
  callId: z.string().max(200).optional(),
  /** `errors`: failures and violations. */
  only: z.enum(['errors', 'violations']).optional(),
})
export type WireFilters = z.infer<typeof wireFilters>

/** A recording that this server writes. It is deleted when the server ends. */
const recordingState = z.object({
  id: z.string(),
  sources: list(z.string()),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  isRunning: z.boolean(),
  messages: z.number(),
  bytes: z.number(),
  /** How many secrets were masked. */
  masked: z.number(),
  /** Why it ended early. */
  error: z.string().exactOptional(),
})
export type RecordingState = z.infer<typeof recordingState>

const ofSource = z.object({ name: z.string() })
const ofRecording = z.object({ id: z.string() })
const sequence = z.coerce.number<string | number>().int().min(0)

function readMethod(text: string): string {
  const value = parseJson(text)
  const method = typeof value === 'object' && value !== null && 'method' in value ? value.method : undefined
  return typeof method === 'string' && /^[\w/-]{1,100}$/.test(method) ? method : ''
}

export const wireEndpoints = defineEndpoints({
  'GET /api/sources/{name}/wire': {
    right: 'read',
    about:
      'The messages between Toolscope and a source: those `after` a number, those `before` one, or the newest; `wait`: answers as soon as there is one after `after`, or within 20 s',
    params: ofSource,
    query: wireFilters.extend({
      after: sequence.optional(),
      before: sequence.optional(),
      limit: z.coerce.number<string | number>().int().min(1).max(maxWireRows).default(200),
      /** Without a newer message (matching or not), the answer has no rows. */
      wait: queryFlag.optional(),
    }),
    answer: wirePage,
  },
  'GET /api/sources/{name}/wire/recording': {
    right: 'read',
    about: 'The messages that the wire of a source has, as a recording',
    params: ofSource,
    query: z.object({ after: sequence.optional() }),
    format: 'lines',
    answer: recordingLine,
  },
  'GET /api/sources/{name}/wire/{seq}': {
    right: 'read',
    about: 'One message with its text',
    params: ofSource.extend({ seq: sequence }),
    answer: wireDetail,
  },
  'PATCH /api/sources/{name}/wire': audited({
    right: 'write',
    about: 'Pauses the wire of a source, or continues it',
    params: ofSource,
    body: z.object({ paused: z.boolean() }),
    target: ({ params, body }) => `${params.name} paused=${body.paused}`,
    answer: z.object({ isPaused: z.boolean() }),
  }),
  'DELETE /api/sources/{name}/wire': audited({
    right: 'write',
    about: 'Drops the messages that the wire of a source has',
    params: ofSource,
    target: ({ params }) => params.name,
    answer: z.object({ deleted: z.number() }),
  }),
  'POST /api/sources/{name}/wire/send': audited({
    right: 'call',
    about:
      'Sends a request or a notification of JSON-RPC to an open MCP server, a request with a new id; the wire has the answer',
    params: ofSource,
    body: z.object({ text: z.string().min(1).max(1_000_000) }),
    target: ({ params, body }) => joinTarget(params.name, readMethod(body.text)),
    /** The last message before it: `after` for the rows of this exchange. */
    answer: z.object({ after: z.number() }),
  }),
  'GET /api/recordings': {
    right: 'read',
    about: 'The recordings that were started in the page',
    answer: z.object({ recordings: list(recordingState) }),
  },
  'POST /api/recordings': audited({
    right: 'write',
    about: 'Starts to record the messages of sources; `withPast`: also those that the wire has',
    body: z.object({
      sources: list(z.string().min(1).max(1000)).refine(names => names.length > 0, 'name a source'),
      withPast: z.boolean().default(false),
    }),
    target: ({ body }) => joinTarget(...body.sources, body.withPast && 'withPast=true'),
    answer: recordingState,
    status: 201,
  }),
  'POST /api/recordings/{id}/stop': audited({
    right: 'write',
    about: 'Ends a recording',
    params: ofRecording,
    target: ({ params }) => params.id,
    answer: recordingState,
  }),
  'GET /api/recordings/{id}/file': {
    right: 'read',
    about: 'The file of a recording (`.toolrec`), up to now if it still runs',
    params: ofRecording,
    format: 'lines',
    answer: recordingLine,
  },
  'DELETE /api/recordings/{id}': audited({
    right: 'write',
    about: 'Ends a recording and deletes it',
    params: ofRecording,
    target: ({ params }) => params.id,
    answer: z.object({ deleted: z.number() }),
  }),
})
