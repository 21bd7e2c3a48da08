import { describe, expect, it } from 'vitest'
import { formatBytes, formatDuration, plural } from './format.ts'

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
})
