/**
 * Keeps results exactly as sent. The SDK rejects a whole list for one bad entry and a whole result for one odd block,
 * and the payload is lost. So each answer to a list, call or read request is replaced by an empty one that carries the
 * real one.
 */
import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject, own } from '../../core/json/json.ts'
import { rememberResult, sendMarked } from './exact-json.ts'
import { markTaskRequest } from './question-tasks.ts'

/** Random, so that a server cannot guess it. */
const originalKey = `toolscope/${randomUUID()}`

const cache = { ttlMs: 0, cacheScope: 'private' }

const placeholders: Readonly<Record<string, object>> = {
  'tools/list': { tools: [], ...cache },
  'tools/call': { content: [] },
  'prompts/list': { prompts: [], ...cache },
  'prompts/get': { messages: [] },
  'resources/list': { resources: [], ...cache },
  'resources/templates/list': { resourceTemplates: [], ...cache },
  'resources/read': { contents: [], ...cache },
  'skills/list': { skills: [], ...cache },
  'skills/get': {},
  'resources/directory/read': { resources: [], ...cache },
  'tasks/get': {},
  'tasks/result': {},
  'tasks/update': {},
  'tasks/cancel': {},
}

interface KeepingParts {
  /** Returns the text of an answer by its id. */
  readonly textOf?: (id: unknown) => string | undefined
  /** Receives each message before it is sent. */
  readonly onSend?: ((...sent: Parameters<Transport['send']>) => void) | undefined
}

/** Makes a transport keep results; `keptResult` reads them. */
export function keepResults<Any extends Transport>(
  transport: Any,
  { textOf = () => undefined, onSend }: KeepingParts = {},
): Any {
  const methodById = new Map<unknown, string>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message && Object.hasOwn(placeholders, message.method))
      methodById.set(message.id, message.method)
    onSend?.(message, options)
    return sendMarked(message, marked => send(marked, options))
  }
  const exact = (message: JSONRPCMessage) => {
    const text = 'id' in message && 'result' in message ? textOf(message.id) : undefined
    if (text !== undefined) rememberResult(message, text)
    return message
  }
  let receiver: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    get: () => receiver,
    set: (given: Transport['onmessage']) => {
      receiver =
        given &&
        inOrder((message, extra) => given(swapped(exact(markTaskRequest(message)), methodById), extra))
    },
  })
  return transport
}

/**
 * The SDK handles a notification with a delay but an answer immediately: the last progress of a call would arrive after
 * its end and be dropped. So an answer that follows a notification is delayed too.
 */
function inOrder(receive: NonNullable<Transport['onmessage']>): NonNullable<Transport['onmessage']> {
  let behind = false
  return (message, extra) => {
    if (!('method' in message) && behind) return void setImmediate(() => receive(message, extra))
    if ('method' in message && !behind) {
      behind = true
      setImmediate(() => {
        behind = false
      })
    }
    receive(message, extra)
  }
}

/** Returns the server's real answer from the SDK's result. */
export function readServerResult(given: unknown): unknown {
  const meta = isObject(given) ? own(given, '_meta') : undefined
  return isObject(meta) && Object.hasOwn(meta, originalKey) ? meta[originalKey] : given
}

function swapped<Message extends JSONRPCMessage>(
  message: Message,
  methodById: Map<unknown, string>,
): Message {
  if (!('id' in message) || 'method' in message) return message
  const method = methodById.get(message.id)
  methodById.delete(message.id)
  if (method === undefined || !('result' in message)) return message
  // A request for input is not a result yet; the SDK answers it.
  if (isObject(message.result) && own(message.result, 'resultType') === 'input_required') return message
  return {
    ...message,
    result: { resultType: 'complete', ...placeholders[method], _meta: { [originalKey]: message.result } },
  }
}
