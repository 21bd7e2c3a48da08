import { describe, expect, test } from 'vitest'
import { withoutValues } from './error-groups.ts'
import { parseRate, parseTime, shareText, timeText } from './quantities.ts'
import { benchRenderers } from './report.ts'
import type { BenchResult } from './result.ts'

const evil = '<img src=x onerror=alert(1)>\u001b[2J\n::error::x'
const times = { meanMs: 12, p50Ms: 10, p95Ms: 20, p99Ms: 1_500, maxMs: 2_000 }
const result: BenchResult = {
  load: { ratePerSecond: 50 },
  calls: 1_234,
  errors: 7,
  ...times,
  durationMs: 10_000,
  ratePerSecond: 123,
  unsent: 3,
  late: 5,
  stopped: true,
  tools: [
    { ref: `quick/${evil}`, calls: 1_000, errors: 0, ...times },
    { ref: `slow/${'long '.repeat(40)}`, calls: 234, errors: 7, ...times, p95Ms: 30 },
  ],
  histogram: [
    { fromMs: 0.5, toMs: 10, count: 1_000 },
    { fromMs: 10, toMs: 200, count: 0 },
    { fromMs: 200, toMs: 2_000, count: 1 },
  ],
  errorGroups: [{ reason: 'tool-error', message: evil, count: 4 }],
  conditions: [
    { condition: 'p95>10ms', value: '20 ms', failed: true },
    { condition: 'errors>10', value: '7', failed: false },
  ],
  skipped: [{ ref: evil, name: evil, message: evil }],
}

describe('text', () => {
  test.each([40, 80, 120])('fits a terminal of %s columns', columns => {
    const text = benchRenderers.text(result, { colour: false, columns })
    const bars = text.split('\n').filter(line => line.includes('█'))
    expect(Math.max(...bars.map(line => line.length))).toBe(columns - 1)
    expect(bars[0]).toMatch(/^ {2}0\.5 ms – 10 ms {2}|^ {2}0\.5 ms – {2}10 ms {2}/)
    for (const line of text.split('\n').filter(each => /slow|quick|tool-error|skipped/.test(each)))
      expect(line.length, line).toBeLessThanOrEqual(Math.max(columns, 60))
  })

  test('says what the figures are worth, and what failed', () => {
    const text = benchRenderers.text(result, { colour: false })
    expect(text).toContain('Stopped before its end')
    expect(text).toContain('1,234 in 10 s, 3 of them not sent')
    expect(text).toContain('123/s of 50/s')
    expect(text).toContain('7 (0.57%)')
    expect(text).toContain('5 calls waited for earlier ones to end')
    expect(text).toMatch(/ 3 {2}others$/m)
    expect(text).toContain('✗ p95: 20 ms (fails if p95>10ms)')
    expect(text).toContain('✓ errors: 7 (fails if errors>10)')
    expect(text.indexOf('slow/')).toBeLessThan(text.indexOf('quick/'))
    expect(text).not.toContain('\u001b')
    expect(benchRenderers.text(result, { colour: true })).not.toContain('\u001b[2J')
  })

  test('without a call there are no figures', () => {
    const text = benchRenderers.text(
      { ...result, calls: 0, errors: 0, tools: [], histogram: [], errorGroups: [] },
      { colour: false },
    )
    expect(text).toContain('No call ended.')
    expect(text).not.toContain('p95  ')
  })
})

test('the page escapes what comes from outside, loads nothing, and has tables with heads', () => {
  const html = benchRenderers.html(result)
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img')
  expect(html).toContain("default-src 'none'")
  expect(html).toContain('<caption>How long the calls took</caption>')
  expect(html).toContain('<th scope="row">0.5 ms – 10 ms</th><td>1,000</td>')
  expect(html).toContain('width:100.0%')
})

test('times, rates and shares', () => {
  expect(['10s', '500ms', '1.5 s', '2m', '250us', '10', 's', '1e3s', '-1s', '1h'].map(parseTime)).toEqual([
    10_000,
    500,
    1_500,
    120_000,
    0.25,
    ...Array(5).fill(undefined),
  ])
  expect(['50/s', '300/m', '7', '0.5 / s', '5/h', 'fast'].map(parseRate)).toEqual([
    50,
    5,
    7,
    0.5,
    undefined,
    undefined,
  ])
  expect([0, 0.0041, 0.126, 34.49, 999.4, 999.6, 61_000].map(timeText)).toEqual([
    '0 ms',
    '0.004 ms',
    '0.126 ms',
    '34.5 ms',
    '999 ms',
    '1 s',
    '61 s',
  ])
  expect([shareText(1, 1e6), shareText(999_999, 1e6), shareText(1, 3), shareText(0, 0)]).toEqual([
    '< 0.01%',
    '> 99.99%',
    '33.33%',
    '0%',
  ])
})

test('messages that differ in their values alone are one group', () => {
  const same = [
    'Order 17 of "Ada" at 2026-11-23T10:00:00Z is unknown (0f8fad5b-d9cb-469f-a165-70867728950e)',
    'Order 9 of "Bob" at 2026-11-24T11:00:00Z is unknown (7c9e6679-7425-40de-944b-e07fc1f90ae7)',
  ].map(withoutValues)
  expect(same[0]).toBe('Order … of … at … is unknown (…)')
  expect(new Set(same).size).toBe(1)
  expect(withoutValues('exit code 1: no order 17.')).toBe('exit code …: no order ….')
  expect(withoutValues("The tool doesn't know 'Ada' or 'Bob'")).toBe("The tool doesn't know … or …")
})
