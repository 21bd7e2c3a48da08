/**
 * The texts of answers over HTTP. The SDK parses them internally, so they are read as they pass: for the wire, and a text
 * with a number that parsing rounds is stored by its request id until the SDK delivers the value.
 */
import { isObject, own } from '../../core/json/json.ts'
import type { EmittedMessage } from '../../core/wire/wire-message.ts'
import { maxExactCharacters, mayRound } from './exact-json.ts'

/** Receives the texts of an answer for the wire. */
export type AnswerSink = (
  part: 'response' | 'event',
  answer: Pick<EmittedMessage, 'text' | 'http' | 'isCut' | 'bytes'>,
) => void

export const eventStream = /^text\/event-stream\b/i

/** The SDK takes an answer as soon as it arrives; more waiting texts than this have ids that were never requested. */
const maxWaiting = 64

export class ExactAnswers {
  private readonly waiting = new Map<unknown, string>()

  add(text: string): void {
    if (text.length > maxExactCharacters || !mayRound(text)) return
    const id = readResultId(text)
    if (id === undefined) return
    if (this.waiting.size >= maxWaiting) this.waiting.delete(this.waiting.keys().next().value)
    this.waiting.set(id, text)
  }

  take(id: unknown): string | undefined {
    const text = this.waiting.get(id)
    this.waiting.delete(id)
    return text
  }

  /** Returns a reader for the chunks of a body of this type; undefined if such a body need not be read. */
  readerOf(contentType: string, emit: AnswerSink | undefined): BodyReader | undefined {
    if (eventStream.test(contentType))
      return new EventReader((text, fields) => {
        if (fields.isCut !== true) this.add(text)
        emit?.('event', { text, ...(fields.isCut === true && { isCut: true }), http: fields.http })
      })
    const isJson = /^application\/json\b/i.test(contentType)
    if (!isJson && emit === undefined) return undefined
    return new TextReader((text, bytes) => {
      if (isJson && bytes <= maxExactCharacters) this.add(text)
      emit?.('response', { text, bytes, ...(bytes > maxExactCharacters && { isCut: true }) })
    })
  }
}

export interface BodyReader {
  add(chunk: Uint8Array): void
  end(): void
}

class TextReader implements BodyReader {
  private readonly chunks: Uint8Array[] = []
  private bytes = 0
  private readonly found: (text: string, bytes: number) => void

  /** @param found receives the beginning of a body that is too long, with the size of the whole */
  constructor(found: (text: string, bytes: number) => void) {
    this.found = found
  }

  add(chunk: Uint8Array): void {
    if (this.bytes <= maxExactCharacters) this.chunks.push(chunk)
    this.bytes += chunk.length
  }

  end(): void {
    this.found(Buffer.concat(this.chunks).toString('utf8'), this.bytes)
  }
}

interface EventFields {
  readonly http: { readonly event?: string; readonly id?: string }
  readonly isCut?: boolean
}

/** Reads server-sent events by the HTML standard. A line that is too long is skipped, and its event is cut. */
class EventReader implements BodyReader {
  private readonly decoder = new TextDecoder()
  private readonly found: (data: string, fields: EventFields) => void
  private rest = ''
  private data: string[] = []
  private http: { event?: string; id?: string } = {}
  private size = 0
  private skipping = false
  private isCut = false

  constructor(found: (data: string, fields: EventFields) => void) {
    this.found = found
  }

  add(chunk: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) this.line(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (this.rest.length <= maxExactCharacters) return
    this.rest = ''
    this.skipping = true
    this.isCut = true
  }

  end(): void {
    // An incomplete event is dropped.
  }

  private line(line: string): void {
    if (this.skipping) this.skipping = false
    else if (line === '') {
      const { http, isCut } = this
      if (this.data.length > 0 || isCut) this.found(this.data.join('\n'), isCut ? { http, isCut } : { http })
      this.data = []
      this.http = {}
      this.size = 0
      this.isCut = false
    } else if (line.startsWith('data:')) {
      if (this.size > maxExactCharacters) this.isCut = true
      else this.data.push(readField(line, 'data:'))
      this.size += line.length
    } else if (line.startsWith('event:')) this.http.event = readField(line, 'event:')
    else if (line.startsWith('id:')) this.http.id = readField(line, 'id:')
  }
}

const readField = (line: string, name: string) =>
  line.slice(line[name.length] === ' ' ? name.length + 1 : name.length)

function readResultId(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) && own(message, 'result') !== undefined ? own(message, 'id') : undefined
  } catch {
    return undefined
  }
}
