import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleParts } from './visible-text.tsx'

const shown = (text: string) =>
  visibleParts(text)
    .map(part => (part.hidden ? `<${part.text}>` : part.text))
    .join('')

it('visibleParts: names the invisible characters', () => {
  expect(shown('a\u200bb\u202ec')).toBe('a<U+200B>b<U+202E>c')
  expect(shown('\u0000\u001b[31m')).toBe('<U+0000 U+001B>[31m')
  expect(shown('ok\ufe01\u034f ⚠️')).toBe('ok<U+FE01 U+034F> ⚠️')
  expect(shown('line\tone\nline two')).toBe('line\tone\nline two')
})

it('visibleParts: shows the text that tag characters hide', () => {
  const tags = [...'send it'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(shown(`ok${tags}`)).toBe('ok<7 invisible characters: “send it”>')
})

/** Letters, digits, signs and spaces, except the letters and signs that draw nothing. */
const seen = (text: string) =>
  text
    .replaceAll(/[\u115f\u1160\u2800\u3164\uffa0]/g, '')
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}\t\n\r]/gu, '')

it('visibleParts: shows every visible character in order, and no invisible one', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('a', ' ', '\n', 'é', '🎈', '\u200b', '\u202e', '\u3164'),
  )
  fc.assert(
    fc.property(fc.string({ unit }), text => {
      const parts = visibleParts(text)
      const visible = parts.filter(each => !each.hidden)
      expect(seen(visible.map(each => each.text).join(''))).toBe(seen(text))
      let at = 0
      for (const part of visible) {
        at = text.indexOf(part.text, at)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(part.text).not.toMatch(/[\u200b-\u200f\u202a-\u202e]/)
        at += part.text.length
      }
    }),
  )
})
