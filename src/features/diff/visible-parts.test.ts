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
  expect(shown('line\tone\nline two')).toBe('line\tone\nline two')
})

it('visibleParts: shows the text that tag characters hide', () => {
  const tags = [...'send it'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(shown(`ok${tags}`)).toBe('ok<7 invisible characters: “send it”>')
})

it('visibleParts: shows parts of the text in order, without an invisible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const parts = visibleParts(text)
      let at = 0
      for (const part of parts.filter(each => !each.hidden)) {
        at = text.indexOf(part.text, at)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(part.text).not.toMatch(/[\u200b-\u200f\u202a-\u202e]/)
        at += part.text.length
      }
    }),
  )
})
