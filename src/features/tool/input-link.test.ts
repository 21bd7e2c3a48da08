import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInputFragment, toInputFragment } from './input-link.ts'

test('input link: contains the draft that it was made from', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'grapheme' }), fc.option(fc.constant('••••')), (text, marker) => {
      const draft = marker === null ? { text } : { text, secretMarker: marker }
      const fragment = toInputFragment(draft)
      expect(fragment).toMatch(/^input=[\w-]*$/)
      expect(readInputFragment(fragment ?? '')).toEqual(draft)
    }),
  )
})

test('input link: does not exist for a long input, and gives no input when it is damaged', () => {
  expect(toInputFragment({ text: `"${'a'.repeat(9_000)}"` })).toBeUndefined()
  expect(readInputFragment('input=%%%')).toBeUndefined()
  expect(readInputFragment('input=_w')).toBeUndefined()
  expect(readInputFragment('other')).toBeUndefined()
})
