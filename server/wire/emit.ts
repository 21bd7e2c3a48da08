/** Helpers of those who emit messages to a wire. */
import { isUtf8 } from 'node:buffer'
import { withoutUndefined } from '../../core/json/json.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import type { RunEvent } from '../process/process.ts'

let exchanges = 0

/** Returns a number for an HTTP exchange or a run, unique in this process. */
export function nextExchange(): number {
  exchanges += 1
  return exchanges
}

const relatedCall = 'toolscope-call:'

/** Returns the option that makes the SDK pass the id of a call to the transport. A client's transport does not send it. */
export const relateToCall = (callId: string | undefined) =>
  callId === undefined ? {} : { relatedRequestId: `${relatedCall}${callId}` }

/** The calls of the requests of one connection, between the SDK and its transport. */
export class RequestCalls {
  private readonly byId = new Map<unknown, string>()

  /** Notes the call of a message that is about to be sent. */
  note(message: object, { relatedRequestId }: { readonly relatedRequestId?: unknown } = {}): void {
    if (typeof relatedRequestId !== 'string' || !relatedRequestId.startsWith(relatedCall)) return
    if ('id' in message && 'method' in message)
      this.byId.set(message.id, relatedRequestId.slice(relatedCall.length))
  }

  take(id: unknown): string | undefined {
    const callId = this.byId.get(id)
    if (callId !== undefined) this.byId.delete(id)
    return callId
  }

  /** Takes the call of a serialised request, in which the SDK writes the id last. */
  takeFrom(body: string): string | undefined {
    if (this.byId.size === 0) return undefined
    const [, id] = /"id":(\d{1,16})\}$/.exec(body.slice(-40)) ?? []
    return id === undefined ? undefined : this.take(Number(id))
  }
}

/** Emits a line that was received. Its bytes are added if they are not UTF-8. */
export function emitLine(sink: WireSink, text: string, bytes: Buffer): void {
  const isBroken = text.includes('\ufffd') && !isUtf8(bytes)
  sink({
    direction: 'received',
    part: 'message',
    text,
    bytes: bytes.length,
    ...(isBroken && { base64: bytes.toString('base64') }),
  })
}

interface ExchangeRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly callId?: string | undefined
}

/** Sends a request, and emits it and its answer. Without a wire it is only sent. */
export async function emitExchange<Answer extends { readonly response: Response; readonly text: string }>(
  wire: WireSink | undefined,
  { text, callId, ...http }: ExchangeRequest,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (wire === undefined) return send()
  const exchange = nextExchange()
  wire({ direction: 'sent', part: 'request', text, exchange, http, ...ofCall(callId) })
  const answer = await send()
  const { status, headers } = answer.response
  const head = { status, headers: toRecord(headers) }
  wire({ direction: 'received', part: 'response', text: answer.text, exchange, http: head })
  return answer
}

interface RunStart {
  readonly argv: readonly string[]
  readonly directory: string
  /** The variables that the source sets. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  readonly tool?: string
  /** The exact JSON of the input. */
  readonly text?: string
  readonly callId?: string | undefined
  /** Returns the text of the file that `LLM_OUTPUT` names, after the end. */
  readonly readOutput?: () => Promise<string>
}

/** Emits the start, the output and the end of a program's run, and passes its events on unchanged. */
export async function* emitRun(
  wire: WireSink,
  { text = '', callId, argv, environment = {}, directory, tool, readOutput }: RunStart,
  run: AsyncIterable<RunEvent>,
): AsyncGenerator<RunEvent> {
  const exchange = nextExchange()
  const set = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const start = {
    ...withoutUndefined({ tool }),
    argv: [...argv],
    directory,
    environment: Object.fromEntries(set),
  }
  wire({ direction: 'sent', part: 'start', text, exchange, run: start, ...ofCall(callId) })
  let streamed = 0
  for await (const event of run) {
    if (event.type !== 'end') {
      if (event.type === 'stdout') streamed += event.text.length
      wire({ direction: 'received', part: event.type, text: event.text, exchange })
    } else {
      const { exitCode, signal, stdout } = event.result
      // Only the beginning of a long output is passed on while the program runs.
      const rest = stdout.slice(streamed)
      if (rest !== '') wire({ direction: 'received', part: 'stdout', text: rest, exchange })
      const end = withoutUndefined({ exitCode, signal, output: await readOutput?.() })
      wire({ direction: 'received', part: 'end', text: '', exchange, run: end })
    }
    yield event
  }
}

const ofCall = (callId: string | undefined) => (callId === undefined ? {} : { callId })

export const toRecord = (headers: Headers): Record<string, string> => Object.fromEntries(headers)
