import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxRecordedBytes } from '../wire/recording-file.ts'
import {
  ByteText,
  decodeBody,
  EventSplitter,
  guardSink,
  LineSplitter,
  type RecordedEvent,
  type RecordedText,
} from './message-lines.ts'

function split(chunks: readonly Buffer[]): RecordedText[] {
  const lines: RecordedText[] = []
  const splitter = new LineSplitter(line => lines.push(line))
  for (const chunk of chunks) splitter.add(chunk)
  splitter.end()
  return lines
}

/** Cuts bytes at random positions. */
const cutBytes = (bytes: Buffer, cuts: readonly number[]) => {
  const ends = [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}

describe('line splitter', () => {
  test('emits the same lines for all chunks, and loses no byte', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r\n', '{"a":1}', 'é', '🗝', ''),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece.map(Buffer.from), fc.uint8Array({ maxLength: 9 }).map(Buffer.from))),
        fc.array(fc.nat(), { maxLength: 9 }),
        (pieces, cuts) => {
          const bytes = Buffer.concat(pieces)
          const lines = split(cutBytes(bytes, cuts))
          expect(lines).toEqual(split([bytes]))
          const joined = lines.map(({ text, base64 }) =>
            base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64'),
          )
          const again = Buffer.concat(
            joined.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line])),
          )
          const isEnded = bytes.at(-1) === 10
          expect(Buffer.concat(isEnded ? [again, Buffer.from('\n')] : [again]).equals(bytes)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('cuts a long line between two characters and counts all its bytes', () => {
    const text = `${'é'.repeat(maxRecordedBytes / 2 - 1)}x🗝${'é'.repeat(10)}`
    const [line, next] = split([Buffer.from(`${text}\n{}\n`)])
    expect(line).toMatchObject({ bytes: Buffer.byteLength(text), isCut: true })
    expect(line?.base64).toBeUndefined()
    expect(line?.text).toBe(text.slice(0, maxRecordedBytes / 2))
    expect(next).toEqual({ text: '{}', bytes: 2 })
  })
})

describe('event splitter', () => {
  const splitEvents = (chunks: readonly Buffer[]) => {
    const events: RecordedEvent[] = []
    const splitter = new EventSplitter(event => events.push(event))
    for (const chunk of chunks) splitter.add(chunk)
    return events
  }

  test('reads events of any chunks, with their names, ids and bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from(
        '\ufeff: hello\r\nretry: 5\r\nevent: message\r\nid: 7\r\ndata: {"é":\r\ndata: 1}\r\n\r\ndata: "',
      ),
      Buffer.from([0xff]),
      Buffer.from('"\n\ndata: unfinished'),
    ])
    const expected = [
      { text: '{"é":\n1}', bytes: 9, event: 'message', id: '7' },
      { text: '"\ufffd"', bytes: 3, base64: 'Iv8i' },
    ]
    expect(splitEvents([bytes])).toEqual(expected)
    expect(splitEvents([...bytes].map(byte => Buffer.from([byte])))).toEqual(expected)
  })

  test('reports an event that is too long as cut, and stays silent after it', () => {
    const piece = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}`)
    const long = Array.from({ length: 18 }, () => piece)
    expect(splitEvents([...long, Buffer.from('\n\ndata: 1\n\n')])).toEqual([
      { text: '', bytes: maxRecordedBytes, isCut: true },
    ])
  })
})

describe('body', () => {
  const read = (encoding: string | undefined, body: Buffer, isPart = false) =>
    new Promise<RecordedText>(resolve => {
      const text = new ByteText()
      const decoded = decodeBody(encoding, {
        add: chunk => text.add(chunk),
        end: cut => resolve(text.take(cut)),
      })
      for (const byte of body) decoded.add(Buffer.from([byte]))
      decoded.end(isPart)
    })
  const text = JSON.stringify({ text: 'é'.repeat(1_000) })

  test.for([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    [undefined, Buffer.from],
    ['zstd', Buffer.from],
  ] as const)('in %s is read', async ([encoding, encode]) => {
    expect(await read(encoding, encode(text))).toEqual({ text, bytes: Buffer.byteLength(text) })
  })

  test('that is broken gives its beginning', async () => {
    const gzipped = gzipSync(text)
    expect(await read('gzip', gzipped.subarray(0, gzipped.length - 9), true)).toMatchObject({ isCut: true })
    expect(await read('gzip', Buffer.from('plain'))).toMatchObject({ isCut: true, text: '' })
  })
})

test('guarded sink: a fault of a recording does not stop what passes', () => {
  const texts: string[] = []
  const sink = guardSink(({ text }) => {
    texts.push(text)
    throw new RangeError('Maximum call stack size exceeded')
  })
  const splitter = new LineSplitter(line => sink({ direction: 'sent', part: 'message', ...line }))
  splitter.add(Buffer.from('a\nb\n'))
  expect(texts).toEqual(['a', 'b'])
})
