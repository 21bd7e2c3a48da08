/** Sends a message that a user wrote. */
import type { Client } from '@modelcontextprotocol/client'
import { AppError } from '../../core/errors.ts'
import { isObject, type Json, own, parseJson } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { toRpc } from '../../core/wire/wire-message.ts'
import { rememberInput } from './exact-json.ts'
import { anything } from './lenient-client.ts'

/**
 * Sends a request or a notification; a request gets a new id, and its answer is not waited for. Throws AppError
 * `request-invalid` if the text is neither, and `not-allowed` for what may concern the calls of others.
 *
 * @param person the author, if it is not the operator
 */
export function sendText(client: Client, text: string, timeoutMs: number, person?: string): void {
  const rpc = toRpc(parseJson(text))
  if (rpc?.kind !== 'request' && rpc?.kind !== 'notification')
    throw new AppError('request-invalid', 'it is not a request or a notification of JSON-RPC', {
      hint: 'Send an object with "jsonrpc" and "method"; a request has an "id" too.',
    })
  const { method } = rpc
  if (person !== undefined && (rpc.kind === 'notification' || /^(?:notifications|tasks)\//.test(method)))
    throw new AppError(
      'not-allowed',
      `${person} may send requests, but no notifications and no tasks/…: they can end or answer the calls of others`,
    )
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
  Promise.resolve(sent).catch(() => {})
}

/** The token of the earlier request would belong to two. */
function withoutProgress({ _meta, ...params }: { readonly [key: string]: unknown }): {
  [key: string]: unknown
} {
  if (!isObject(_meta)) return params
  const { progressToken: _earlier, ...meta } = _meta
  return { ...params, _meta: meta }
}
