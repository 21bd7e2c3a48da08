import { expect, test } from 'vitest'
import { isObject, type Json } from '../json/json.ts'
import { shrinkInput } from './shrink-input.ts'

test('shrink input: only what causes the failure is left', async () => {
  const input = { a: 'x'.repeat(50), list: [1, 2, { bad: 7 }, 3], other: { deep: true } }
  const fails = async (value: Json) => JSON.stringify(value).includes('"bad"')
  const { input: small, isSmallest } = await shrinkInput(input, fails)
  expect(small).toEqual({ list: [{ bad: 0 }] })
  expect(isSmallest).toBe(true)
})

test('shrink input: a text is as short as the failure allows', async () => {
  const fails = async (value: Json) => isObject(value) && typeof value.q === 'string' && value.q.length > 10
  expect((await shrinkInput({ q: 'hello wide world' }, fails)).input).toEqual({ q: 'a'.repeat(11) })
})

test('shrink input: the number of tries is limited, and the best input so far is returned', async () => {
  const input = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))
  let calls = 0
  const { isSmallest, tries } = await shrinkInput(
    input,
    async value => {
      calls += 1
      return isObject(value) && 'k49' in value
    },
    { maxTries: 20 },
  )
  expect(calls).toBe(20)
  expect(tries).toBe(20)
  expect(isSmallest).toBe(false)
})

test('shrink input: only candidates are tried', async () => {
  const tried: Json[] = []
  const fails = async (value: Json) => tried.push(value) > 0
  const { input } = await shrinkInput({ a: 1, b: 2 }, fails, {
    isCandidate: value => isObject(value) && 'a' in value,
  })
  expect(input).toEqual({ a: 0 })
  expect(tried.every(value => isObject(value) && 'a' in value)).toBe(true)
})
