import { expect, test } from 'vitest'
import { rowWidth } from './use-choice-row.ts'

const em = (pixels: number) => pixels / 13

test('row width: adds letters, the space around each label, and the frame', () => {
  expect(rowWidth(['true', 'false'])).toBeCloseTo(9 * 0.55 + em(2 * 24 + 2))
})

test('row width: counts a wide character as one em', () => {
  expect(rowWidth(['東京'])).toBeCloseTo(2 + em(24 + 2))
})
