import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../tool/tool.ts'
import { typeLabel } from './describe.ts'

const labels: [JsonSchema, string][] = [
  [{ type: 'string', pattern: '^b-[0-9]+$' }, 'string · ^b-[0-9]+$'],
  [{ type: 'string', minLength: 1, maxLength: 80 }, 'string · 1–80 characters'],
  [{ type: 'string', maxLength: 80 }, 'string · at most 80 characters'],
  [{ type: 'string', format: 'date-time', pattern: '^a very long one$' }, 'date-time'],
  [{ type: 'integer', minimum: 1, maximum: 50 }, 'integer · 1–50'],
  [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'integer'],
  [{ type: 'integer', minimum: 0, maximum: 9007199254740991 }, 'integer · ≥ 0'],
  [{ type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, 'number · > 0 · step 0.5'],
  [{ enum: ['dev', 'staging', 'prod'] }, 'enum · 3'],
  [{ const: 'rolling' }, 'always "rolling"'],
  [{ const: { deep: true } }, 'always the same'],
  [{ type: 'object', additionalProperties: { type: 'string' }, propertyNames: {} }, 'map of string'],
  [{ type: 'object', properties: {} }, 'object'],
  [{ type: 'array', items: { type: 'string', pattern: 'x' } }, 'array of string'],
  [{ type: 'array', items: { type: 'object' }, minItems: 1 }, 'array of object · at least 1 item'],
  [{ type: 'array' }, 'array'],
  [{ oneOf: [{}, {}] }, 'one of 2'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ type: ['integer', 'null'], minimum: 1 }, 'integer or null · ≥ 1'],
  [{ type: ['string', 'number'] }, 'string or number'],
  [{ $ref: '#/$defs/Region' }, 'Region'],
  [{ $ref: '#' }, 'the same again'],
  [{ type: '' }, 'any JSON'],
  [{ type: ['', 'null'] }, 'null'],
  [{ type: 'string', format: '', pattern: ' ' }, 'string'],
  [{ properties: {} }, 'object'],
  [{}, 'any JSON'],
  [true, 'any JSON'],
  [false, 'nothing'],
]
test.each(labels)('typeLabel: labels %j as %s', (schema, label) => {
  expect(typeLabel(schema)).toBe(label)
})

test('typeLabel: gives any JSON a label of 1 to 80 characters', () => {
  const key = fc.constantFrom(
    'type',
    'items',
    'anyOf',
    'enum',
    '$ref',
    'const',
    'pattern',
    'format',
    'additionalProperties',
    'minimum',
  )
  const { json } = fc.letrec(tie => ({
    json: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom('string', 'object', 'array', 'integer', 'null', '', ' ', '#/'),
      fc.jsonValue(),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(key, tie('json'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(json, schema => {
      const label = typeLabel(schema as JsonSchema)
      expect(label.trim()).not.toBe('')
      expect(label.length).toBeLessThanOrEqual(80)
    }),
    { numRuns: 1000 },
  )
})

test('typeLabel: does not exhaust the stack on deep schemas', () => {
  let schema: JsonSchema = {}
  for (let depth = 0; depth < 100_000; depth += 1) schema = { anyOf: [schema], const: schema }
  expect(typeLabel(schema)).toBe('always the same')
  for (let depth = 0; depth < 100_000; depth += 1) schema = { type: 'array', items: schema }
  expect(typeLabel(schema)).toBe('array of array of array of array of …')
})
