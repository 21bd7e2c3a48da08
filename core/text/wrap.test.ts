import fc from 'fast-check'
import columnsOf from 'fast-string-width'
import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.ts'
import { wrap } from './wrap.ts'

describe('wrapped text', () => {
  it('fits the width and keeps its own lines and indentation', () => {
    expect(wrap('one two three four five', 24, 4)).toEqual(['    one two three four', '    five'])
    expect(wrap('a\n\n  - b', 80, 2)).toEqual(['  a', '', '    - b'])
    expect(wrap('', 80, 4)).toEqual([''])
  })

  it.each([
    ['ASCII', 'a', 20],
    ['East Asian', '日', 10],
    ['emoji', '🚀', 10],
    ['joined emoji', '👩‍💻', 10],
    ['flags', '🇩🇪', 10],
    ['combining marks', 'e\u0301', 20],
  ])('counts the columns that a terminal draws: %s', (_, character, count) => {
    const [half, other] = [character.repeat(count / 2), character.repeat(count / 2 - 1)]
    expect(wrap(`${half} ${other}`, 20, 0)).toEqual([`${half} ${other}`])
    expect(wrap(`${half} ${half}`, 20, 0)).toEqual([half, half])
  })

  it('loses no word, and is too wide only for a single word', () => {
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
