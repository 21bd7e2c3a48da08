import { describe, expect, it } from 'vitest'
import { linesOf, maxLineLength, maxWholeLength, previewLength, previewOf } from './text-lines.ts'

describe('linesOf', () => {
  it('loses nothing, and draws no line too long', () => {
    const text = `short\n${'x'.repeat(maxLineLength * 2 + 5)}\nend\n`
    const lines = linesOf(text)
    expect(lines.map(line => line.length)).toEqual([5, maxLineLength, maxLineLength, 5, 3])
    expect(lines.join('')).toBe(text.replaceAll('\n', ''))
  })
})

describe('previewOf', () => {
  it('cuts only what is above the limit', () => {
    expect(previewOf('a'.repeat(maxWholeLength)).cut).toBe(false)
    expect(previewOf('a'.repeat(maxWholeLength + 1))).toMatchObject({
      cut: true,
      text: 'a'.repeat(previewLength),
    })
  })
})
