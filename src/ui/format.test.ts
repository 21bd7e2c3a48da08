import { describe, expect, it } from 'vitest'
import { formatBytes, formatDuration, formatTime, plural } from './format.ts'

describe('format', () => {
  it('writes durations', () => {
    expect(formatDuration(412.4)).toBe('412 ms')
    expect(formatDuration(3210)).toBe('3.2 s')
    expect(formatDuration(125_900)).toBe('2 min 5 s')
  })

  it('writes sizes', () => {
    expect(formatBytes(999)).toBe('999 B')
    expect(formatBytes(1300)).toBe('1.3 kB')
    expect(formatBytes(999_999)).toBe('1.0 MB')
    expect(formatBytes(5_242_880)).toBe('5.2 MB')
  })

  it('writes counts', () => {
    expect(plural(1, 'problem')).toBe('1 problem')
    expect(plural(5000, 'match', 'matches')).toBe('5,000 matches')
  })

  it('writes times, with as much of the date as is needed', () => {
    const now = new Date(2026, 10, 21, 18, 0)
    const at = (...parts: [number, number, number]) => new Date(...parts, 14, 3, 22).toISOString()
    expect(formatTime(at(2026, 10, 21), now)).toBe('14:03:22')
    expect(formatTime(at(2026, 10, 20), now)).toBe('20 Nov 14:03:22')
    expect(formatTime(at(2025, 10, 21), now)).toBe('21 Nov 2025 14:03:22')
    expect(formatTime('yesterday', now)).toBe('yesterday')
  })
})
