import { expect, test } from 'vitest'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createSecond, planTool } from './plan-generated-checks.ts'

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

test('plan generated checks: other work of the thread is done while a schema of 2,000 required properties is planned', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`)
  const properties = Object.fromEntries(names.map(name => [name, { type: 'string', minLength: 1 }]))
  const inputSchema = { type: 'object', properties, required: names } as unknown as JsonSchema
  const tool = { ref: 'shop/wide', source: 'shop', name: 'wide', index: 0, callable: true, inputSchema }
  let turns = 0
  let isPlanned = false
  const countTurn = () => {
    turns += 1
    if (!isPlanned) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const { planned } = await planTool(tool, { seed: 1, listsInputs: false })
  isPlanned = true
  // It has one turn if the generator works without a pause.
  expect(turns).toBeGreaterThan(10)
  expect(planned.valid + planned.invalid).toBe(100)
})
