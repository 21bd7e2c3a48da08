import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, parseLines } from './ndjson.ts'

async function* from(chunks: readonly string[]) {
  yield* chunks
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

describe('parseLines', () => {
  it('gives the same values wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        async (values, cuts) => {
          const text = values.map(value => `${JSON.stringify(value)}\n`).join('')
          const chunks: string[] = []
          for (let at = 0; at < text.length; ) {
            const size = cuts.next().value ?? 1
            chunks.push(text.slice(at, at + size))
            at += size
          }
          const parsed = await collect(parseLines(from(chunks)))
          expect(parsed).toEqual(values.map(value => JSON.parse(JSON.stringify(value))))
        },
      ),
    )
  })

  it('takes a last line without a newline, and skips blank ones', async () => {
    expect(await collect(parseLines(from(['1\n\n', ' \n', '{"a":', '2}'])))).toEqual([1, { a: 2 }])
  })

  it('throws on a line that is cut off', async () => {
    await expect(collect(parseLines(from(['{"a":'])))).rejects.toThrow(SyntaxError)
  })
})

describe('readText', () => {
  it('joins characters that are cut between chunks', async () => {
    const bytes = new TextEncoder().encode('a€b')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, 2))
        controller.enqueue(bytes.slice(2))
        controller.close()
      },
    })
    expect((await collect(decodeText(body))).join('')).toBe('a€b')
  })
})
