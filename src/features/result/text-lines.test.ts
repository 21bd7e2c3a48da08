import { describe, expect, it } from 'vitest'
import { linesOf, longestLine, previewLimit, previewOf, previewSize } from './text-lines.ts'

describe('linesOf', () => {
  it('loses nothing, and draws no line too long', () => {
    const text = `short\n${'x'.repeat(longestLine * 2 + 5)}\nend\n`
    const lines = linesOf(text)
    expect(lines.map(line => line.length)).toEqual([5, longestLine, longestLine, 5, 3])
    expect(lines.join('')).toBe(text.replaceAll('\n', ''))
  })
})

describe('previewOf', () => {
  it('cuts only what is above the limit', () => {
    expect(previewOf('a'.repeat(previewLimit)).cut).toBe(false)
    expect(previewOf('a'.repeat(previewLimit + 1))).toMatchObject({
      cut: true,
      text: 'a'.repeat(previewSize),
    })
  })
})
