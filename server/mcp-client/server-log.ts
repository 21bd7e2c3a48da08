/**
 * The output of a server outside the protocol: its stderr, stray lines on stdout, its log messages. The end of the text,
 * 64 KiB, for errors; and the last lines with their times, for the page.
 */
import { StringDecoder } from 'node:string_decoder'
import { withoutUndefined } from '../../core/json/json.ts'
import { isLogLevel, type LogLine } from '../../core/tool/log-line.ts'
import { decodeUtf8, StreamText } from '../process/stream-text.ts'

const maxBytes = 64 * 1024
const maxLines = 1_000
/** UTF-8 bytes of all lines. */
const maxLinesBytes = 256 * 1024
const maxLineCharacters = 8_000

/** The parameters of `notifications/message`. Hostile. */
interface GivenMessage {
  readonly level: unknown
  readonly logger?: unknown
  readonly data?: unknown
}

export class ServerLog {
  private readonly stream = new StreamText(0, () => {}, maxBytes)
  private readonly decoder = new StringDecoder('utf8')
  /** The end of stderr that is not a whole line yet. */
  private unfinished = ''
  private entries: LogLine[] = []
  private entryBytes = 0
  private count = 0

  /** Adds a part of stderr. */
  add(chunk: Buffer): void {
    this.stream.add(chunk)
    const lines = `${this.unfinished}${this.decoder.write(chunk)}`.split('\n')
    this.unfinished = cut(lines.pop() ?? '')
    // A chunk may have more lines than the log stores.
    for (const line of lines.slice(-maxLines))
      this.append({ origin: 'output', text: line.replace(/\r$/, '') })
  }

  /** Adds a line of the server on stdout, or one of Toolscope. */
  line(text: string, origin: 'output' | 'toolscope' = 'toolscope'): void {
    this.stream.add(Buffer.from(`${origin === 'toolscope' ? '[toolscope] ' : ''}${text}\n`))
    this.append({ origin, text })
  }

  message({ level, logger, data }: GivenMessage): void {
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    const known = isLogLevel(level) ? level : undefined
    this.stream.add(Buffer.from(`[${known ?? 'message'}] ${text}\n`))
    const name = typeof logger === 'string' && logger !== '' ? logger.slice(0, 200) : undefined
    this.append({ origin: 'message', text, ...withoutUndefined({ level: known, logger: name }) })
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

  /** Returns the last 1,000 lines, or 256 KiB of them. A line that is not finished is the last one. */
  lines(): readonly LogLine[] {
    const { unfinished } = this
    if (unfinished.trim() === '') return [...this.entries]
    const time = new Date().toISOString()
    return [...this.entries, { number: this.count + 1, time, origin: 'output', text: unfinished }]
  }

  private append(line: Omit<LogLine, 'number' | 'time'>): void {
    if (line.text.trim() === '') return
    this.count += 1
    const entry = { ...line, number: this.count, time: new Date().toISOString(), text: cut(line.text) }
    this.entries.push(entry)
    this.entryBytes += Buffer.byteLength(entry.text)
    while (this.entries.length > maxLines || this.entryBytes > maxLinesBytes) {
      const first = this.entries.shift()
      this.entryBytes -= Buffer.byteLength(first?.text ?? '')
    }
  }
}

const cut = (text: string) =>
  text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters - 1)}…` : text
