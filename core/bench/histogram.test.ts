import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Histogram } from './histogram.ts'

/** From 1 µs to some 3 hours, each magnitude as likely as another. */
const times = fc.array(fc.double({ min: Math.log(0.001), max: Math.log(1e7), noNaN: true }).map(Math.exp), {
  minLength: 1,
  maxLength: 300,
})

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.add(value)
  return histogram
}

describe('Histogram', () => {
  test('a percentile is within 0.5% of the exact one by nearest rank', () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0.001, max: 100, noNaN: true }), (values, percent) => {
        const sorted = values.toSorted((a, b) => a - b)
        const exact = sorted[Math.max(1, Math.ceil((percent / 100) * values.length)) - 1] ?? 0
        const found = histogramOf(values).percentile(percent)
        expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.005)
      }),
    )
  })

  test('maximum and mean are exact', () => {
    fc.assert(
      fc.property(times, values => {
        const histogram = histogramOf(values)
        expect(histogram.maxMs).toBe(Math.max(...values))
        expect(histogram.percentile(100)).toBe(histogram.maxMs)
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(histogram.meanMs).toBeCloseTo(mean, 6)
      }),
    )
  })

  test('each time is in one of at most 12 ranges, which follow on each other', () => {
    fc.assert(
      fc.property(times, values => {
        const ranges = histogramOf(values).ranges()
        expect(ranges.length).toBeLessThanOrEqual(12)
        expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
        expect(ranges[0]?.fromMs).toBe(Math.min(...values))
        expect(ranges.at(-1)?.toMs).toBe(Math.max(...values))
        for (const [index, range] of ranges.entries()) {
          expect(range.toMs).toBeGreaterThanOrEqual(range.fromMs)
          if (index > 0) expect(range.fromMs).toBe(ranges[index - 1]?.toMs)
        }
      }),
    )
  })

  test('without a time, and with times outside its buckets', () => {
    const empty = new Histogram()
    expect([empty.percentile(95), empty.meanMs, empty.maxMs, empty.ranges()]).toEqual([0, 0, 0, []])
    const extreme = histogramOf([0, -1, 1e12])
    expect(extreme.maxMs).toBe(1e12)
    expect(extreme.percentile(50)).toBeLessThanOrEqual(0.001)
  })
})
