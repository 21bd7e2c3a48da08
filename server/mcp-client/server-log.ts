/**
 * The output of a server outside the protocol: its stderr, stray lines on stdout, its log messages. The last 64 KiB.
 */
import { decodeUtf8, StreamText } from '../process/stream-text.ts'

const maxBytes = 64 * 1024

export class ServerLog {
  private readonly stream = new StreamText(0, () => {}, maxBytes)

  add(chunk: Buffer): void {
    this.stream.add(chunk)
  }

  line(text: string): void {
    this.add(Buffer.from(`${text}\n`))
  }

  /** Returns the kept text, or the part after the first `from` bytes that were ever written. */
  text(from = 0): string {
    const bytes = this.stream.readBytes()
    const skipped = this.stream.bytes - bytes.length
    return decodeUtf8(bytes.subarray(Math.max(0, from - skipped))).text
  }

  /** The number of bytes ever written. */
  get position(): number {
    return this.stream.bytes
  }
}
