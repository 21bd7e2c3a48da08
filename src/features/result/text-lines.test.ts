import { describe, expect, it } from 'vitest'
import {
  cutForPreview,
  maxLineLength,
  maxWholeLength,
  previewLength,
  splitIntoLines,
} from './viewers/text-viewer.tsx'

describe('splitIntoLines', () => {
  it('splits lines that are too long, and loses no text', () => {
    const text = `short\n${'x'.repeat(maxLineLength * 2 + 5)}\nend\n`
    const lines = splitIntoLines(text)
    expect(lines.map(line => line.length)).toEqual([5, maxLineLength, maxLineLength, 5, 3])
    expect(lines.join('')).toBe(text.replaceAll('\n', ''))
  })
})

describe('cutForPreview', () => {
  it('cuts only what is above the limit', () => {
    expect(cutForPreview('a'.repeat(maxWholeLength)).cut).toBe(false)
    expect(cutForPreview('a'.repeat(maxWholeLength + 1))).toMatchObject({
      cut: true,
      text: 'a'.repeat(previewLength),
    })
  })
})
