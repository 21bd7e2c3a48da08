import { expect, test } from 'vitest'
import type { JsonSchema } from '../tool/tool.ts'
import { getFormPlanner } from './form-schema.ts'
import { areFlat, areRows, otherKeys, planListTable } from './list-table.ts'

function table(items: JsonSchema) {
  const planner = getFormPlanner({ type: 'array', items })
  const list = planner.plan(planner.root)
  return list.kind === 'array' ? planListTable(planner, list) : null
}

const text = { type: 'string' }

test('list table: takes flat objects, also with optional properties', () => {
  const found = table({
    type: 'object',
    properties: {
      name: text,
      size: { type: 'integer' },
      on: { type: 'boolean' },
      level: { enum: ['low', 'high'] },
      day: { type: 'string', format: 'date' },
      note: { type: ['string', 'null'] },
    },
    required: ['name'],
  })
  expect(found?.columns.map(({ name, required }) => [name, required])).toEqual([
    ['name', true],
    ['size', false],
    ['on', false],
    ['level', false],
    ['day', false],
    ['note', false],
  ])
  expect(found?.isUsual).toBe(true)
})

test('list table: is not the usual view for many columns, or for rows that are maps too', () => {
  const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`column${index}`, text]))
  expect(table({ type: 'object', properties })?.isUsual).toBe(false)
  expect(table({ type: 'object', properties: { name: text }, additionalProperties: text })?.isUsual).toBe(
    false,
  )
})

test.each([
  [
    'nested objects',
    { type: 'object', properties: { owner: { type: 'object', properties: { name: text } } } },
  ],
  ['lists', { type: 'object', properties: { tags: { type: 'array', items: text } } }],
  ['any JSON', { type: 'object', properties: { value: {} } }],
  [
    'unions',
    {
      anyOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
  ],
  ['long texts', { type: 'object', properties: { body: { type: 'string', maxLength: 4000 } } }],
  ['files', { type: 'object', properties: { image: { type: 'string', contentEncoding: 'base64' } } }],
  ['maps', { type: 'object', additionalProperties: text }],
  [
    'a property that depends on another',
    { type: 'object', properties: { a: text, b: text }, dependentRequired: { a: ['b'] } },
  ],
  [
    'conditions',
    { type: 'object', properties: { a: text }, if: { required: ['a'] }, else: { required: ['b'] } },
  ],
  ['values', text],
])('list table: does not take %s', (_, items) => {
  expect(table(items as JsonSchema)).toBeNull()
})

test('list table: takes only objects as rows, and only objects without objects and lists as flat', () => {
  expect(areRows([{}, { a: 1 }])).toBe(true)
  expect(areRows([{}, null])).toBe(false)
  expect(areRows([[]])).toBe(false)
  expect(areFlat([{ a: null, b: 'x' }])).toBe(true)
  expect(areFlat([{ a: [] }])).toBe(false)
  expect(areFlat([{ a: {} }])).toBe(false)
})

test('list table: lists keys without a column once each, in their order', () => {
  expect(
    otherKeys(
      [{ name: 'a' }],
      [
        { z: 1, a: 2 },
        { b: 1, z: 2 },
      ],
    ),
  ).toEqual(['z', 'b'])
})
