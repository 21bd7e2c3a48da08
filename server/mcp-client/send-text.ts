/** Sends a message that a user wrote. */
import type { Client } from '@modelcontextprotocol/client'
import { AppError } from '../../core/errors.ts'
import { isObject, type Json, own, parseJson } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { type RpcMessage, toRpc } from '../../core/wire/wire-message.ts'
import type { MessageAuthor } from '../sources/source.ts'
import { rememberInput } from './exact-json.ts'
import { anything } from './lenient-client.ts'

/**
 * Sends a request or a notification; a request gets a new id, and its answer is not waited for. Throws AppError
 * `request-invalid` if the text is neither, and `not-allowed` for what may concern others.
 *
 * @param author absent: the operator, who may send everything
 */
export function sendText(client: Client, text: string, timeoutMs: number, author?: MessageAuthor): void {
  const rpc = toRpc(parseJson(text))
  if (rpc?.kind !== 'request' && rpc?.kind !== 'notification')
    throw new AppError('request-invalid', 'it is not a request or a notification of JSON-RPC', {
      hint: 'Send an object with "jsonrpc" and "method"; a request has an "id" too.',
    })
  const { method } = rpc
  const refusal = author && describeMessageRefusal(rpc, author)
  if (refusal !== undefined) throw new AppError('not-allowed', refusal)
  const params = isObject(rpc.params) ? withoutProgress(rpc.params) : {}
  const input = own(params, 'arguments')
  const exact = readJson(text)
  const exactInput = exact.ok && isObject(exact.value) ? own(exact.value, 'params') : undefined
  if (isObject(exactInput)) rememberInput(input, writeJson(own(exactInput, 'arguments') as Json, 0))
  const sent =
    rpc.kind === 'request'
      ? client.request({ method, params }, anything, { timeout: timeoutMs })
      : client.notification({ method, params })
  // The wire has the answer, and an error too.
  void Promise.resolve(sent)
    .catch(() => {})
    .then(() => author?.ended())
}

/**
 * The requests of MCP (2025-11-25 and 2026-07-28, schema) that change nothing in the session. `initialize`,
 * `logging/setLevel`, `resources/subscribe`, `resources/unsubscribe` and `subscriptions/listen` do, and an unknown method may.
 */
const sharedMethods: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
])

/** Returns why a person may not send a message; undefined if it may. */
function describeMessageRefusal(
  { kind, method, params }: Extract<RpcMessage, { kind: 'request' | 'notification' }>,
  { name, sessionRefusal }: MessageAuthor,
): string | undefined {
  // A request with answers (2026-07-28) continues the call that was asked.
  const isAnswer =
    isObject(params) && ['inputResponses', 'requestState'].some(key => Object.hasOwn(params, key))
  if (kind === 'notification' || /^(?:notifications|tasks)\//.test(method) || isAnswer)
    return `${name} may send requests, but no notifications, no tasks/… and no answers: they can end or answer the calls of others`
  return sharedMethods.has(method) || sessionRefusal === undefined
    ? undefined
    : `${name} may not send ${shorten(method, 100)}, which may change the session of everybody: ${sessionRefusal}`
}

/** The token of the earlier request would belong to two. */
function withoutProgress({ _meta, ...params }: { readonly [key: string]: unknown }): {
  [key: string]: unknown
} {
  if (!isObject(_meta)) return params
  const { progressToken: _earlier, ...meta } = _meta
  return { ...params, _meta: meta }
}
