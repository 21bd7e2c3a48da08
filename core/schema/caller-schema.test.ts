import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../tool/tool.ts'
import { callerSchema } from './caller-schema.ts'
import { isNoiseBound } from './keywords.ts'

test('callerSchema: makes a required property with a default optional, at every depth', () => {
  const inner = { properties: { a: { default: 1 }, b: {} }, required: ['a', 'b'] }
  const relaxed = { properties: { a: { default: 1 }, b: {} }, required: ['b'] }
  for (const wrap of [
    (schema: JsonSchema) => schema,
    (schema: JsonSchema) => ({ properties: { x: schema } }),
    (schema: JsonSchema) => ({ items: schema }),
    (schema: JsonSchema) => ({ items: [schema], prefixItems: [true, schema] }),
    (schema: JsonSchema) => ({ additionalProperties: schema }),
    (schema: JsonSchema) => ({ oneOf: [schema, { $defs: { D: schema } }] }),
  ])
    expect(callerSchema(wrap(inner))).toEqual(wrap(relaxed))
})

test('callerSchema: counts a default of null, and leaves values that only look like schemas', () => {
  expect(callerSchema({ properties: { a: { default: null } }, required: ['a'] })).toMatchObject({
    required: [],
  })
  const looksLike = { properties: { a: { default: 1 } }, required: ['a'] }
  for (const keyword of ['default', 'const', 'examples', 'enum', 'not', 'if'])
    expect(callerSchema({ [keyword]: looksLike })).toEqual({ [keyword]: looksLike })
})

test('callerSchema: returns the same object if nothing has to change', () => {
  const schema = { properties: { a: { type: 'string' } }, required: ['a'], anyOf: [{}, true] }
  expect(callerSchema(schema)).toBe(schema)
})

test('callerSchema: does not take inherited names for properties', () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"default":1}},"required":["constructor","__proto__"]}',
  )
  const relaxed = callerSchema(schema)
  expect(JSON.stringify(relaxed)).toBe(
    '{"properties":{"__proto__":{"default":1}},"required":["constructor"]}',
  )
})

test('callerSchema: accepts any JSON, and does not write into it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const before = JSON.stringify(value)
      callerSchema(value as JsonSchema)
      expect(JSON.stringify(value)).toBe(before)
    }),
  )
  let deep: JsonSchema = {}
  for (let depth = 0; depth < 100_000; depth += 1) deep = { items: deep }
  expect(callerSchema(deep)).toBe(deep)
})

test('isNoiseBound: is true only for the limits of safe integers', () => {
  expect(isNoiseBound('maximum', 9007199254740991)).toBe(true)
  expect(isNoiseBound('minimum', -9007199254740991)).toBe(true)
  expect(isNoiseBound('minimum', 9007199254740991)).toBe(false)
  expect(isNoiseBound('maximum', 50)).toBe(false)
})
