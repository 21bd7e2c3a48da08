/**
 * The texts of answers that came over HTTP. The SDK parses them where we cannot look, so they are read as they pass:
 * those with a number that parsing rounds are kept by the id of their request until the SDK hands over the value.
 */
import { isObject, own } from '../../core/json/json.ts'
import { maxExactCharacters, mayRound } from './exact-json.ts'

/** The SDK takes an answer up as soon as it has come; more than these wait only for ids that nobody asked for. */
const maxWaiting = 64

export class ExactAnswers {
  private readonly waiting = new Map<unknown, string>()

  add(text: string): void {
    if (text.length > maxExactCharacters || !mayRound(text)) return
    const id = idOf(text)
    if (id === undefined) return
    if (this.waiting.size >= maxWaiting) this.waiting.delete(this.waiting.keys().next().value)
    this.waiting.set(id, text)
  }

  take(id: unknown): string | undefined {
    const text = this.waiting.get(id)
    this.waiting.delete(id)
    return text
  }

  /** What is to be told of a body of this type, chunk by chunk; undefined where no answer can be in it. */
  readerOf(contentType: string): BodyReader | undefined {
    if (/^text\/event-stream\b/i.test(contentType)) return new EventReader(text => this.add(text))
    return /^application\/json\b/i.test(contentType) ? new JsonReader(text => this.add(text)) : undefined
  }
}

export interface BodyReader {
  add(chunk: Uint8Array): void
  end(): void
}

class JsonReader implements BodyReader {
  private readonly chunks: Uint8Array[] = []
  private bytes = 0
  private readonly found: (text: string) => void

  constructor(found: (text: string) => void) {
    this.found = found
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length
    if (this.bytes <= maxExactCharacters) this.chunks.push(chunk)
  }

  end(): void {
    if (this.bytes <= maxExactCharacters) this.found(Buffer.concat(this.chunks).toString('utf8'))
  }
}

/** Reads the `data` of server-sent events, as the HTML standard has it. Lines that are too long are let pass unread. */
class EventReader implements BodyReader {
  private readonly decoder = new TextDecoder()
  private readonly found: (text: string) => void
  private rest = ''
  private data: string[] = []
  private size = 0
  private skipping = false

  constructor(found: (text: string) => void) {
    this.found = found
  }

  add(chunk: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) this.line(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (this.rest.length <= maxExactCharacters) return
    this.rest = ''
    this.skipping = true
  }

  end(): void {
    // An event that breaks off is none.
  }

  private line(line: string): void {
    if (this.skipping) this.skipping = false
    else if (line === '') {
      if (this.data.length > 0) this.found(this.data.join('\n'))
      this.data = []
      this.size = 0
    } else if (line.startsWith('data:') && this.size <= maxExactCharacters) {
      this.size += line.length
      this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    }
  }
}

function idOf(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) && own(message, 'result') !== undefined ? own(message, 'id') : undefined
  } catch {
    return undefined
  }
}
