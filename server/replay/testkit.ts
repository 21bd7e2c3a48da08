/** Records real servers with the SDK's own client, and gives replays of them to it. */
import {
  Client,
  type FetchLike,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { EmittedMessage } from '../../core/wire/wire-message.ts'
import { anything } from '../mcp-client/lenient-client.ts'
import { RecordingWriter } from '../wire/recording-file.ts'

export type ClientEra = 'legacy' | 'auto'

/** What a client saw. */
export interface Seen {
  readonly answers: unknown[]
  readonly notifications: unknown[]
  readonly questions: unknown[]
}

export type ClientWork = (client: Client, seen: Seen) => Promise<void>

/** Connects a client that accepts each answer as it is, and answers each question. Resolves with what it saw. */
export async function withClient(transport: Transport, era: ClientEra, work: ClientWork): Promise<Seen> {
  const seen: Seen = { answers: [], notifications: [], questions: [] }
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: era },
    },
  )
  client.setRequestHandler('elicitation/create', { params: anything }, async params => {
    seen.questions.push(params)
    return { action: 'accept', content: { name: 'Ada' } } as never
  })
  client.setRequestHandler('sampling/createMessage', { params: anything }, async params => {
    seen.questions.push(params)
    return { model: 'm', role: 'assistant', content: { type: 'text', text: 'hello' } } as never
  })
  client.setRequestHandler('roots/list', { params: anything }, async () => ({ roots: [] }))
  client.fallbackNotificationHandler = async ({ method, params }) => {
    seen.notifications.push({ method, params })
  }
  await client.connect(transport)
  try {
    await work(client, seen)
  } finally {
    await client.close()
  }
  return seen
}

/** Requests something; an error is an answer too. */
export async function ask(client: Client, seen: Seen, method: string, params: object = {}): Promise<void> {
  const at = seen.answers.push(undefined) - 1
  seen.answers[at] = await client
    .request({ method, params } as never, anything, {
      onprogress: progress => seen.notifications.push(progress),
      timeout: 60_000,
    })
    .catch(({ code, message, data }) => ({ code, message, data }))
}

export const callOf = (name: string, input: object = {}) =>
  ['tools/call', { name, arguments: input }] as const

export const stdioTransport = (argv: readonly string[], environment: Record<string, string> = {}) => {
  const [command = '', ...args] = argv
  return new StdioClientTransport({
    command,
    args,
    env: { ...process.env, ...environment } as never,
    stderr: 'ignore',
  })
}

export const httpTransport = (url: string, fetch?: FetchLike) =>
  new StreamableHTTPClientTransport(new URL(url), fetch === undefined ? {} : { fetch })

interface RecordedAs {
  readonly file: string
  readonly era: ClientEra
  /** Adds to a recording that other sources are in. */
  readonly writer?: RecordingWriter
}

/** Records a session over stdio. */
export async function recordStdio(
  argv: readonly string[],
  { file, era }: RecordedAs,
  work: ClientWork,
): Promise<Seen> {
  const recorder = new Recorder(file, 'stdio')
  const transport = stdioTransport(argv)
  const send = transport.send.bind(transport)
  transport.send = message => {
    recorder.add({ direction: 'sent', part: 'message', text: JSON.stringify(message) })
    return send(message)
  }
  let receiver: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    get: () => receiver,
    set: (given: (message: JSONRPCMessage) => void) => {
      receiver = message => {
        recorder.add({ direction: 'received', part: 'message', text: JSON.stringify(message) })
        given(message)
      }
    },
  })
  try {
    return await withClient(transport, era, (client, seen) => {
      recorder.describe(client)
      return work(client, seen)
    })
  } finally {
    recorder.close()
  }
}

/** Records a session over Streamable HTTP. */
export async function recordHttp(url: string, { file, era }: RecordedAs, work: ClientWork): Promise<Seen> {
  const recorder = new Recorder(file, 'http')
  try {
    return await withClient(httpTransport(url, recorder.fetch), era, (client, seen) => {
      recorder.describe(client)
      return work(client, seen)
    })
  } finally {
    recorder.close()
  }
}

/** Writes a recording by hand. */
export class Recorder {
  readonly writer: RecordingWriter
  private readonly transport: 'stdio' | 'http'
  private seq = 0
  private exchanges = 0
  private readonly startedAt = performance.now()

  constructor(file: string, transport: 'stdio' | 'http') {
    this.writer = new RecordingWriter(file, { by: 'test', force: true })
    this.transport = transport
  }

  describe(client: Client): void {
    const protocol = client.getNegotiatedProtocolVersion()
    this.writer.write({
      type: 'source',
      source: 0,
      name: 'server',
      label: 'server',
      kind: 'mcp-server',
      transport: this.transport,
      ...(protocol !== undefined && { protocol }),
    })
  }

  add(message: EmittedMessage, atMs = performance.now() - this.startedAt): void {
    this.seq += 1
    const bytes = Buffer.byteLength(message.text)
    this.writer.write({ type: 'message', source: 0, seq: this.seq, atMs, bytes, ...message })
  }

  close(): void {
    this.writer.close()
  }

  readonly fetch: FetchLike = async (url, init) => {
    this.exchanges += 1
    const exchange = this.exchanges
    const method = init?.method ?? 'GET'
    const text = typeof init?.body === 'string' ? init.body : ''
    this.add({ direction: 'sent', part: 'request', text, exchange, http: { method, url: String(url) } })
    const response = await fetch(url, init)
    const { status } = response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) {
      const body = await response.text()
      this.add({ direction: 'received', part: 'response', text: body, exchange, http: { status } })
      return new Response([202, 204].includes(status) ? null : body, response)
    }
    this.add({ direction: 'received', part: 'response', text: '', exchange, http: { status } })
    let waiting = ''
    const decoder = new TextDecoder()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          waiting += decoder.decode(chunk, { stream: true })
          const events = waiting.split(/\r?\n\r?\n/)
          waiting = events.pop() ?? ''
          for (const event of events) {
            const data = event.split(/\r?\n/).filter(line => line.startsWith('data:'))
            const joined = data.map(line => line.slice(5).trimStart()).join('\n')
            if (joined !== '')
              this.add({ direction: 'received', part: 'event', text: joined, exchange, http: {} })
          }
          controller.enqueue(chunk)
        },
      }),
    )
    return new Response(body, response)
  }
}
