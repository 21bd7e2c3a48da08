import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'
import { columnsOf, wrap } from './wrap.ts'

describe('wrapped text', () => {
  it('keeps to its columns, its own lines and its indentation', () => {
    expect(wrap('one two three four five', 24, 4)).toEqual(['    one two three four', '    five'])
    expect(wrap('a\n\n  - b', 80, 2)).toEqual(['  a', '', '    - b'])
    expect(wrap('', 80, 4)).toEqual([''])
  })

  it('counts what a terminal draws', () => {
    expect(columnsOf('abc')).toBe(3)
    expect(columnsOf('日本')).toBe(4)
    expect(columnsOf('🚀')).toBe(2)
    expect(columnsOf('e\u0301')).toBe(1)
  })

  it('loses no word, and is too wide only for one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
        const plain = plainText(text)
        const lines = wrap(plain, 40, 4)
        expect(lines.join(' ').split(/\s+/)).toEqual([...lines.join(' ').split(/\s+/)])
        expect(lines.join('').replace(/\s/gu, '')).toBe(plain.replace(/\s/gu, ''))
        for (const line of lines)
          if (line.trim().includes(' ')) expect(columnsOf(line)).toBeLessThanOrEqual(40)
      }),
    )
  })
})
