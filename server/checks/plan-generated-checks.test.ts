import { expect, test } from 'vitest'
import { createSecond } from './plan-generated-checks.ts'

test('plan generated checks: a pattern that backtracks without end does not hang the second validator', () => {
  const validate = createSecond({ type: 'string', pattern: '^(a+)+$' }, '2020-12')
  expect(validate('aaa')).toBe(true)
  expect(() => validate(`${'a'.repeat(40)}!`)).toThrow('a pattern takes too long')
  expect(() => validate('aaa')).toThrow('a pattern takes too long')
})

test('plan generated checks: the second validator still decides about usual patterns', () => {
  const validate = createSecond({ type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' }, '2020-12')
  expect([validate('a-b'), validate('a--b')]).toEqual([true, false])
})
