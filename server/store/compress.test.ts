import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compress, decompress } from './compress.ts'

test('compress: every text of any size is restored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.constantFrom(1, 50, 5000), async (text, times) => {
      const long = text.repeat(times)
      expect(await decompress(await compress(long))).toBe(long)
    }),
    { numRuns: 60 },
  )
})

test('compress: a larger text gets smaller, and decompress refuses bytes that are not a compressed text', async () => {
  for (const length of [1_000, 100_000, 5_000_000])
    expect((await compress('abc '.repeat(length / 4))).length).toBeLessThan(length / 10)
  for (const bytes of [[], [9, 1, 2], [1, 255, 255], [2, 255, 255, 255]])
    await expect(decompress(Uint8Array.from(bytes))).rejects.toThrow()
})

test('compress: any characters are restored, a lone surrogate as U+FFFD', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async text => {
      expect(await decompress(await compress(text))).toBe(text.toWellFormed())
    }),
  )
})

test('compress: a short schema gets smaller', async () => {
  const tool = JSON.stringify({
    name: 'greet',
    description: 'Greet someone politely',
    inputSchema: { type: 'object', properties: { name: { type: 'string', description: 'Whom to greet' } } },
  })
  expect((await compress(tool)).length).toBeLessThan(tool.length * 0.55)
  await expect(decompress(new Uint8Array([9, 1, 2]))).rejects.toThrow('does not know')
})

test('decompress: reads texts that were compressed without the dictionary', async () => {
  const text = '"type":"string"'.repeat(100)
  const older = deflateRawSync(text, { level: 5, windowBits: 13, memLevel: 6 })
  expect(await decompress(Buffer.concat([Buffer.of(1), older]))).toBe(text)
})
