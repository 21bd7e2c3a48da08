import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, unpack } from './packed.ts'

test('every text comes back, of whatever size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.constantFrom(1, 50, 5000), async (text, times) => {
      const long = text.repeat(times)
      expect(await unpack(await pack(long))).toBe(long)
    }),
    { numRuns: 60 },
  )
})

test('a larger text takes less than itself, and what is no packed text is refused', async () => {
  for (const length of [1_000, 100_000, 5_000_000])
    expect((await pack('abc '.repeat(length / 4))).length).toBeLessThan(length / 10)
  for (const bytes of [[], [9, 1, 2], [1, 255, 255], [2, 255, 255, 255]])
    await expect(unpack(Uint8Array.from(bytes))).rejects.toThrow()
})
