/** Decides to which request each recorded message belongs, while a recording is read. */
import { isObject, own } from '../../core/json/json.ts'
import type { RecordedMessage } from '../../core/wire/recording.ts'
import { type RpcMessage, readRpc } from '../../core/wire/wire-message.ts'

/** The messages that follow one request. */
interface Chain {
  /** The last line so far. */
  end: number
  readonly exchange?: number | undefined
  /** The id of the JSON-RPC request, as JSON text; absent for a run. */
  readonly id?: string | undefined
  readonly progressToken?: string | undefined
  /** It stays open as long as its client: other messages do not belong to it. */
  readonly isSubscription: boolean
}

/** Requests without an answer that are remembered; older ones get none. */
const maxOpen = 10_000

/**
 * A message belongs to the request that it answers, or that its exchange, its progress token or its subscription names.
 * Otherwise it belongs to the newest request that waits for its answer, or else to the last one that was answered.
 */
export class MessageChains {
  private waiting: Chain[] = []
  private last: Chain
  /** The chains of the server's questions, by their ids. */
  private readonly questions = new Map<string, Chain>()

  /** @param preamble the line before the first request */
  constructor(preamble: number) {
    this.last = { end: preamble, isSubscription: false }
  }

  open(line: number, { text, exchange, part }: RecordedMessage): void {
    const rpc = part === 'message' || part === 'request' ? readRpc(text) : undefined
    const isRequest = rpc?.kind === 'request'
    if (this.waiting.length >= maxOpen) this.waiting.shift()
    this.waiting.push({
      end: line,
      exchange,
      id: isRequest ? JSON.stringify(rpc.id) : undefined,
      progressToken: isRequest ? metaText(rpc.params, 'progressToken') : undefined,
      isSubscription: isRequest && rpc.method === 'subscriptions/listen',
    })
  }

  /** Returns the chain that a message continues; undefined if the message is not replayed. */
  find(message: RecordedMessage): Chain | undefined {
    const { part, direction, exchange, text, http } = message
    if (part === 'start' || part === 'stdout' || part === 'stderr' || part === 'end') {
      const chain = this.waiting.find(each => each.exchange === exchange)
      return exchange === undefined || chain === undefined
        ? undefined
        : part === 'end'
          ? this.close(chain)
          : chain
    }
    const rpc = readRpc(text)
    if (direction === 'sent') return rpc === undefined ? undefined : this.findQuestion(rpc)
    if (rpc === undefined) {
      if (part === 'message') return this.newest()
      const chain = this.waiting.find(each => each.exchange === exchange)
      // The head of a stream has no text; its messages follow. A bridge may answer nothing.
      const isAnswer = chain?.id === undefined || text !== '' || (http?.status ?? 200) >= 400
      return part === 'response' && chain !== undefined && isAnswer ? this.close(chain) : undefined
    }
    if (rpc.kind === 'result' || rpc.kind === 'error')
      return this.findAnswered(JSON.stringify(rpc.id), exchange)
    const chain = this.findNamed(rpc.params, exchange) ?? this.newest()
    if (rpc.kind === 'request') this.questions.set(JSON.stringify(rpc.id), chain)
    return chain
  }

  /** The answer of a stream that was resumed arrives in another exchange. */
  private findAnswered(id: string, exchange: number | undefined): Chain | undefined {
    const chain =
      this.waiting.find(each => each.id === id && each.exchange === exchange) ??
      this.waiting.find(each => each.id === id)
    return chain && this.close(chain)
  }

  private findNamed(params: unknown, exchange: number | undefined): Chain | undefined {
    const token = isObject(params) ? toText(own(params, 'progressToken')) : undefined
    const subscription = metaText(params, 'io.modelcontextprotocol/subscriptionId')
    return (
      (exchange === undefined ? undefined : this.waiting.find(each => each.exchange === exchange)) ??
      (token === undefined ? undefined : this.waiting.findLast(each => each.progressToken === token)) ??
      (subscription === undefined ? undefined : this.waiting.findLast(each => each.id === subscription))
    )
  }

  private findQuestion(rpc: RpcMessage): Chain | undefined {
    if (rpc.kind !== 'result' && rpc.kind !== 'error') return undefined
    const id = JSON.stringify(rpc.id)
    const chain = this.questions.get(id)
    this.questions.delete(id)
    return chain
  }

  private newest(): Chain {
    return this.waiting.findLast(each => !each.isSubscription) ?? this.last
  }

  private close(chain: Chain): Chain {
    this.waiting.splice(this.waiting.indexOf(chain), 1)
    this.last = chain
    return chain
  }
}

const toText = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))

function metaText(params: unknown, key: string): string | undefined {
  const meta = isObject(params) ? own(params, '_meta') : undefined
  return isObject(meta) ? toText(own(meta, key)) : undefined
}
