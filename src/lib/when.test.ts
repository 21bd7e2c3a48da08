import { expect, it } from 'vitest'
import { whenText } from './when.ts'

it('says as much of the date as is needed', () => {
  const now = new Date(2026, 10, 21, 18, 0)
  const at = (...parts: [number, number, number]) => new Date(...parts, 14, 3, 22).toISOString()
  expect(whenText(at(2026, 10, 21), now)).toBe('14:03:22')
  expect(whenText(at(2026, 10, 20), now)).toBe('20 Nov 14:03:22')
  expect(whenText(at(2025, 10, 21), now)).toBe('21 Nov 2025 14:03:22')
  expect(whenText('yesterday', now)).toBe('yesterday')
})
