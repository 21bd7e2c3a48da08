/**
 * Results to the letter. The SDK refuses a whole list for one bad entry and a whole result for one odd block, and
 * what came is gone. So the answer to each list, call and reading is put aside before the SDK sees it: it gets an
 * empty one that carries the real one with it.
 */
import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject, own } from '../../core/json/json.ts'
import { rememberResult, sendMarked } from './exact-json.ts'

/** Not to be guessed by a server. */
const keptKey = `toolscope/${randomUUID()}`

const cache = { ttlMs: 0, cacheScope: 'private' }

const stands: Readonly<Record<string, object>> = {
  'tools/list': { tools: [], ...cache },
  'tools/call': { content: [] },
  'prompts/list': { prompts: [], ...cache },
  'prompts/get': { messages: [] },
  'resources/list': { resources: [], ...cache },
  'resources/templates/list': { resourceTemplates: [], ...cache },
  'resources/read': { contents: [], ...cache },
}

/** Makes a transport keep results; they are read with `keptResult`. `textOf` gives, by id, the text of an answer. */
export function keepResults<Any extends Transport>(
  transport: Any,
  textOf: (id: unknown) => string | undefined = () => undefined,
): Any {
  const asked = new Map<unknown, string>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message && Object.hasOwn(stands, message.method))
      asked.set(message.id, message.method)
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
      receiver = given && inOrder((message, extra) => given(swapped(exact(message), asked), extra))
    },
  })
  return transport
}

/**
 * The SDK handles a notification a little after it has come, and an answer at once: the last progress of a call would
 * come after its end and be dropped. So an answer that follows a notification waits for its turn.
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

/** What the server really answered, from what the SDK gave. */
export function keptResult(given: unknown): unknown {
  const meta = isObject(given) ? own(given, '_meta') : undefined
  return isObject(meta) && Object.hasOwn(meta, keptKey) ? meta[keptKey] : given
}

function swapped<Message extends JSONRPCMessage>(message: Message, asked: Map<unknown, string>): Message {
  if (!('id' in message) || 'method' in message) return message
  const method = asked.get(message.id)
  asked.delete(message.id)
  if (method === undefined || !('result' in message)) return message
  // A question back is no result yet; the SDK answers it.
  if (isObject(message.result) && own(message.result, 'resultType') === 'input_required') return message
  return {
    ...message,
    result: { resultType: 'complete', ...stands[method], _meta: { [keptKey]: message.result } },
  }
}
