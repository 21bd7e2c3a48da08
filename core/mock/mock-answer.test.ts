import { describe, expect, test } from 'vitest'
import { mockAnswer } from './mock-answer.ts'

const tool = (outputSchema?: object) => ({
  name: 'f',
  ...(outputSchema && { outputSchema: { ...outputSchema } }),
})
const number = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer', minimum: 3, maximum: 900 } },
}

describe('mock answer', () => {
  test('is a value of the output schema, equal for equal seeds and inputs', () => {
    const values = [1, 2, 3, 4].map(seed => mockAnswer(tool(number), { a: 1 }, { seed }).value)
    for (const value of values) expect(value).toEqual({ n: expect.any(Number) })
    expect(new Set(values.map(value => JSON.stringify(value))).size).toBeGreaterThan(1)
    expect(mockAnswer(tool(number), { a: 1 }, { seed: 3 }).value).toEqual(values[2])
  })

  test('is a saved result first, then an example of the schema, if they are valid', () => {
    const withExamples = { ...number, examples: [{ n: 'no' }, { n: 77 }] }
    expect(mockAnswer(tool(withExamples), {}, { saved: [{ n: 5 }] }).value).toEqual({ n: 5 })
    expect(mockAnswer(tool(withExamples), {}, { saved: [{ n: 1 }] }).value).toEqual({ n: 77 })
  })

  test('is a text without a schema, and says if no value is valid', () => {
    expect(mockAnswer(tool(), { a: 1 })).toEqual({ text: 'f was called with {"a":1}' })
    expect(mockAnswer(tool(), {}, { saved: ['hello'] })).toEqual({ text: 'hello' })
    const never = { type: 'object', required: ['a'], properties: { a: false } }
    expect(mockAnswer(tool(never), {})).toMatchObject({ problem: expect.stringContaining('no value') })
  })
})
