/**
 * A message between a client and a source: Toolscope itself, or the client that uses `toolscope tap`. The wire view
 * shows them, and a recording (recording.ts) contains them.
 */
import { z } from 'zod'
import { isObject, own, parseJson } from '../json/json.ts'

const texts = z.record(z.string(), z.string())

/**
 * One message, or one part of an HTTP exchange or of a program's run.
 *
 * - `message`: one line of JSON-RPC over stdio, or a line that is not JSON-RPC
 * - `request` `response`: the body of an HTTP request or of an answer that is one text; `http` has the rest
 * - `event`: the data of one server-sent event of the answer of the same exchange
 * - `start` `stdout` `stderr` `end`: a program that runs for one call (`--json`, incur, llm-functions); `stderr` is also
 *   what a server writes there
 */
export const wireParts = [
  'message',
  'request',
  'response',
  'event',
  'start',
  'stdout',
  'stderr',
  'end',
] as const

export const wireMessage = z.object({
  /** From 1, without gaps while nothing was dropped; per source. */
  seq: z.int().positive(),
  /** Milliseconds since the wire of this source was opened, from a monotonic clock. */
  atMs: z.number().nonnegative(),
  /** `sent`: from the client to the source. */
  direction: z.enum(['sent', 'received']),
  part: z.enum(wireParts),
  /** The exact text, with secrets masked. */
  text: z.string(),
  /** Bytes of the text in UTF-8 before it was masked or cut. */
  bytes: z.int().nonnegative(),
  /** The text is only the beginning. */
  isCut: z.boolean().optional(),
  /** Joins the parts of an HTTP exchange or of a run; unique per source. */
  exchange: z.int().positive().optional(),
  /** The id of Toolscope's call that caused the message, if there is one. */
  callId: z.string().optional(),
  /** The bytes of a text that is not UTF-8, in base64; `text` has U+FFFD in it. */
  base64: z.string().optional(),
  http: z
    .object({
      method: z.string().optional(),
      url: z.string().optional(),
      status: z.int().optional(),
      headers: texts.optional(),
      /** The `event` and `id` of a server-sent event. */
      event: z.string().optional(),
      id: z.string().optional(),
    })
    .optional(),
  run: z
    .object({
      argv: z.array(z.string()).optional(),
      /** The tool that it runs for; `text` of a `start` is the exact JSON of the input. */
      tool: z.string().optional(),
      directory: z.string().optional(),
      /** The variables that the source sets, not the inherited ones. */
      environment: texts.optional(),
      exitCode: z.int().optional(),
      signal: z.string().optional(),
      /** The text of the file that `LLM_OUTPUT` names, at the end of a run. */
      output: z.string().optional(),
    })
    .optional(),
})
export type WireMessage = z.infer<typeof wireMessage>

/** A message as the transport emits it: not numbered, not masked. */
export type EmittedMessage = Omit<WireMessage, 'seq' | 'atMs' | 'bytes'> & { readonly bytes?: number }

/** Receives each message of a source. Must not throw, must not wait. */
export type WireSink = (message: EmittedMessage) => void

/** The JSON-RPC of a message. An `id` of any JSON type is possible in a broken message. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: unknown; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: unknown }

/** Returns the JSON-RPC in a text; undefined if it is something else (a greeting, a batch, HTML). */
export function readRpc(text: string): RpcMessage | undefined {
  return toRpc(text.length === 0 ? undefined : parseJson(text))
}

/** Does the same for a parsed text. */
export function toRpc(value: unknown): RpcMessage | undefined {
  if (!isObject(value) || own(value, 'jsonrpc') === undefined) return undefined
  const id = own(value, 'id')
  const method = own(value, 'method')
  const params = own(value, 'params')
  if (typeof method === 'string')
    return id === undefined
      ? { kind: 'notification', method, params }
      : { kind: 'request', id, method, params }
  if (own(value, 'result') !== undefined) return { kind: 'result', id, result: own(value, 'result') }
  if (own(value, 'error') !== undefined) return { kind: 'error', id, error: own(value, 'error') }
  return undefined
}

/** Returns the tool of a request to a bridge, `POST /tools/NAME`; undefined if it is another request. */
export function bridgedTool(http: WireMessage['http']): string | undefined {
  const [, name] = /\/tools\/([^/?#]+)$/.exec(http?.url ?? '') ?? []
  if (name === undefined || http?.method !== 'POST') return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
