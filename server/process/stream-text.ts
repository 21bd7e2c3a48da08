/** The bytes of one stream of a program: kept for the end, and passed on as text as they arrive. */
import { StringDecoder } from 'node:string_decoder'

export class StreamText {
  bytes = 0
  private chunks: Buffer[] = []
  private held = 0
  private passed = 0
  private readonly decoder = new StringDecoder('utf8')
  private readonly limit: number
  private readonly pass: (text: string) => void
  private readonly keepLast: number

  /** Passes on the first `limit` bytes, then a line that says so. Keeps all bytes, or the last `keepLast`. */
  constructor(limit: number, pass: (text: string) => void, keepLast = Number.POSITIVE_INFINITY) {
    this.limit = limit
    this.pass = pass
    this.keepLast = keepLast
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    this.chunks.push(chunk)
    this.held += chunk.length
    // Trim only when twice the bound is held, so that each byte is copied at most twice.
    if (this.held > this.keepLast * 2) this.trim()
    if (this.passed >= this.limit) return
    const part = chunk.subarray(0, this.limit - this.passed)
    this.passed += part.length
    const text = this.decoder.write(part)
    if (text !== '') this.pass(text)
    if (this.passed >= this.limit && this.limit > 0)
      this.pass(`\n… more than ${Math.round(this.limit / 1024)} KiB: the rest is not shown while it runs\n`)
  }

  /** Passes on the rest of an unfinished character. */
  finish(): void {
    const rest = this.passed < this.limit ? this.decoder.end() : ''
    if (rest !== '') this.pass(rest)
  }

  readBytes(): Buffer {
    this.trim()
    return Buffer.concat(this.chunks)
  }

  private trim(): void {
    if (this.held <= this.keepLast) return
    const all = Buffer.concat(this.chunks)
    const last = all.subarray(all.length - this.keepLast)
    this.chunks = [last]
    this.held = last.length
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Decodes UTF-8; an invalid byte becomes U+FFFD and `valid` is false. A leading BOM is dropped. */
export function decodeUtf8(bytes: Buffer): { text: string; valid: boolean } {
  try {
    return { text: strict.decode(bytes), valid: true }
  } catch {
    return { text: new TextDecoder('utf-8').decode(bytes), valid: false }
  }
}
