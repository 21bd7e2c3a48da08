/** Makes messages of the wire from bytes that pass: lines of a stream, bodies and events of HTTP. */
import { isUtf8 } from 'node:buffer'
import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { maxRecordedBytes } from '../wire/recording-file.ts'

/** The members of a message that its bytes give. */
export interface RecordedText {
  readonly text: string
  /** All bytes that there were. */
  readonly bytes: number
  readonly isCut?: boolean
  readonly base64?: string
}

/** Keeps the first `maxRecordedBytes` of what is added. */
export class ByteText {
  private parts: Buffer[] = []
  private stored = 0
  private bytes = 0

  get isEmpty(): boolean {
    return this.bytes === 0
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.stored === maxRecordedBytes || chunk.length === 0) return
    const part = chunk.subarray(0, maxRecordedBytes - this.stored)
    this.parts.push(part)
    this.stored += part.length
  }

  /** Returns what was added since the last call. @param isPart the sender has not sent all of it */
  take(isPart = false): RecordedText {
    const [only] = this.parts
    const all = this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts, this.stored)
    const text = toRecordedText(all, this.bytes, isPart)
    this.parts = []
    this.stored = 0
    this.bytes = 0
    return text
  }
}

function toRecordedText(all: Buffer, bytes: number, isPart: boolean): RecordedText {
  const isCut = all.length < bytes
  // The cut may be inside a character of up to four bytes.
  const ends = isCut ? [0, 1, 2, 3].map(back => all.length - back) : [all.length]
  const end = ends.find(each => isUtf8(all.subarray(0, each)))
  return {
    text: all.toString('utf8', 0, end),
    bytes,
    ...((isCut || isPart) && { isCut: true }),
    ...(end === undefined && { base64: all.toString('base64') }),
  }
}

/** Returns a sink that never throws: what passes must not depend on what is recorded. */
export function guardSink(sink: WireSink): WireSink {
  return message => {
    try {
      sink(message)
    } catch {
      // TapRecording reports its own faults.
    }
  }
}

/** Splits a stream into lines. A line is emitted without its `\n`; a `\r` before it stays. */
export class LineSplitter {
  private readonly line = new ByteText()
  private readonly emit: (line: RecordedText) => void

  constructor(emit: (line: RecordedText) => void) {
    this.emit = emit
  }

  add(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.line.add(chunk.subarray(from, end))
      this.emit(this.line.take())
      from = end + 1
    }
    this.line.add(from === 0 ? chunk : chunk.subarray(from))
  }

  /** Emits a last line that has no line break. */
  end(): void {
    if (!this.line.isEmpty) this.emit(this.line.take())
  }
}

export interface RecordedEvent extends RecordedText {
  readonly event?: string
  readonly id?: string
}

/** Splits a stream of server-sent events; comments and `retry` are left out. */
export class EventSplitter {
  private readonly parser: EventSourceParser
  private isEnded = false

  constructor(emit: (event: RecordedEvent) => void) {
    this.parser = createParser({
      maxBufferSize: maxRecordedBytes,
      onEvent: ({ data, event, id }) => {
        const bytes = Buffer.from(data, 'latin1')
        emit({
          ...toRecordedText(bytes, bytes.length, false),
          ...(event !== undefined && { event }),
          ...(id !== undefined && { id }),
        })
      },
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return
        this.isEnded = true
        emit({ text: '', bytes: maxRecordedBytes, isCut: true })
      },
    })
  }

  add(chunk: Buffer): void {
    // One character for each byte: the names and line breaks of the format are ASCII, and the data may not be UTF-8.
    if (!this.isEnded) this.parser.feed(chunk.toString('latin1'))
  }
}

interface Body {
  add(chunk: Buffer): void
  /** @param isPart the sender has not sent all of it */
  end(isPart: boolean): void
}

/** Passes on the bytes of a body without its `Content-Encoding`; an unknown encoding stays. */
export function decodeBody(encoding: string | undefined, body: Body): Body {
  const decoder = createDecoder(encoding?.trim().toLowerCase())
  if (decoder === undefined) return body
  let isPart = false
  let isEnded = false
  const finish = (isBroken: boolean) => {
    if (!isEnded) body.end(isPart || isBroken)
    isEnded = true
  }
  decoder.on('data', (chunk: Buffer) => body.add(chunk))
  decoder.once('end', () => finish(false))
  decoder.once('error', () => finish(true))
  return {
    add: chunk => void decoder.write(chunk),
    end: isCut => {
      isPart = isCut
      decoder.end()
    },
  }
}

function createDecoder(encoding: string | undefined) {
  // The decoder returns all that it can read, also if the end is missing.
  const zlibOptions = { finishFlush: zlib.Z_SYNC_FLUSH }
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(zlibOptions)
  if (encoding === 'deflate') return createInflate(zlibOptions)
  if (encoding === 'br') return createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH })
  return undefined
}
