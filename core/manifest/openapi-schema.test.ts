import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, type UnknownObject } from '../json/json.ts'
import type { SchemaObject } from '../schema/schema.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import { fromGeminiSchema, isGeminiSchema } from './openapi-schema.ts'

describe('fromGeminiSchema', () => {
  test.each<[SchemaObject, SchemaObject]>([
    [{ type: 'STRING' }, { type: 'string' }],
    [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [{ type: 'TYPE_UNSPECIFIED', description: 'Any' }, { description: 'Any' }],
    [{ type: 'STRING', nullable: true }, { type: ['string', 'null'] }],
    [{ type: 'NULL', nullable: true }, { type: 'null' }],
    [{ type: 'STRING', nullable: false }, { type: 'string' }],
    [
      { type: 'STRING', format: 'enum', enum: ['EAST', 'WEST'] },
      { type: 'string', enum: ['EAST', 'WEST'] },
    ],
    [
      { type: 'STRING', enum: ['EAST'], nullable: true },
      { type: ['string', 'null'], enum: ['EAST', null] },
    ],
    [
      { type: 'INTEGER', format: 'enum', enum: ['101', '201'] },
      { type: 'integer', enum: [101, 201] },
    ],
    [
      { type: 'NUMBER', enum: ['0.5', 'much'] },
      { type: 'number', enum: [0.5, 'much'] },
    ],
    [
      { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true },
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    ],
    [
      { type: 'ARRAY', items: { type: 'STRING' }, minItems: '1', maxItems: '5' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 },
    ],
    [
      { type: 'STRING', maxLength: 'many', example: 'Berlin' },
      { type: 'string', maxLength: 'many', examples: ['Berlin'] },
    ],
    [
      { type: 'OBJECT', defs: { Pet: { type: 'STRING' } }, properties: { a: { ref: '#/defs/Pet' } } },
      { type: 'object', $defs: { Pet: { type: 'string' } }, properties: { a: { $ref: '#/$defs/Pet' } } },
    ],
    [
      { type: 'ARRAY', items: { any_of: [{ type: 'STRING' }] }, min_items: 1, format: null, default: null },
      { type: 'array', items: { anyOf: [{ type: 'string' }] }, minItems: 1, default: null },
    ],
    // A property may have the name of a keyword.
    [
      { type: 'OBJECT', properties: { type: { type: 'STRING' }, ref: { type: 'STRING' }, nullable: true } },
      { type: 'object', properties: { type: { type: 'string' }, ref: { type: 'string' }, nullable: true } },
    ],
  ])('reads %j as JSON Schema', (given, expected) => {
    expect(fromGeminiSchema(given)).toEqual(expected)
  })

  test('reads each schema back that was written in the form of Gemini', () => {
    fc.assert(
      fc.property(schemas, fc.boolean(), fc.boolean(), (schema, isTextCount, inPython) => {
        const written = writeForGemini(schema, { isTextCount, inPython })
        expect(fromGeminiSchema(written as SchemaObject)).toEqual(schema)
      }),
    )
  })

  test('makes a schema that the validator accepts, with the meaning of the original', () => {
    const validate = createSchemaValidator(
      fromGeminiSchema({
        type: 'OBJECT',
        properties: {
          city: { type: 'STRING', nullable: true },
          unit: { type: 'STRING', format: 'enum', enum: ['C', 'F'], nullable: true },
          days: { type: 'INTEGER', minimum: 1 },
        },
        required: ['city'],
      }),
    )
    const inputs = [{ city: null }, { city: 'Ulm', unit: null, days: 2 }, { city: 'Ulm', unit: 'K' }, {}]
    expect(inputs.map(input => validate(input).verdict)).toEqual(['valid', 'valid', 'invalid', 'invalid'])
  })
})

test('isGeminiSchema: recognises only types in upper case', () => {
  const given = [
    { type: 'OBJECT' },
    { type: 'object' },
    { type: 'Object' },
    { type: ['OBJECT'] },
    {},
    null,
    true,
  ]
  expect(given.map(isGeminiSchema)).toEqual([true, false, false, false, false, false, false])
})

const text = fc.record({ type: fc.constant('string'), description: fc.string() })
const nullableText = fc.record({
  type: fc.constant(['string', 'null']),
  enum: fc.uniqueArray(fc.string()).map(values => [...values, null]),
})
const count = fc.nat(1000)
const { schemas } = fc.letrec<{ schemas: UnknownObject }>(tie => ({
  schemas: fc.oneof(
    { maxDepth: 4 },
    text,
    nullableText,
    fc.record({ type: fc.constantFrom('integer', 'number', 'boolean', ['integer', 'null']) }),
    fc.record({ type: fc.constant('integer'), enum: fc.uniqueArray(fc.integer()) }),
    fc.record({ type: fc.constant('array'), items: tie('schemas'), minItems: count, maxItems: count }),
    fc.record({ anyOf: fc.array(tie('schemas'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('type', 'ref', '__proto__')),
        tie('schemas'),
      ),
      required: fc.array(fc.string()),
    }),
  ),
}))

interface Style {
  readonly isTextCount: boolean
  readonly inPython: boolean
}

/** Writes a schema as Gemini's API has it, each rule the other way round. */
function writeForGemini(schema: unknown, style: Style): unknown {
  if (!isObject(schema)) return schema
  const { type, enum: values, properties, items, anyOf, minItems, maxItems, ...rest } = schema
  const [name] = Array.isArray(type) ? (type as string[]) : [type]
  const isNullable = Array.isArray(type)
  const write = (part: unknown) => writeForGemini(part, style)
  const key = (usual: string) =>
    style.inPython ? usual.replace(/[A-Z]/, letter => `_${letter.toLowerCase()}`) : usual
  const toCount = (value: unknown) => (style.isTextCount ? String(value) : value)
  return {
    ...rest,
    ...(typeof name === 'string' && { type: name.toUpperCase() }),
    ...(isNullable && { nullable: true }),
    ...(Array.isArray(values) && {
      enum: values.filter(value => value !== null).map(String),
      format: 'enum',
    }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([each, part]) => [each, write(part)])),
    }),
    ...(items !== undefined && { items: write(items) }),
    ...(Array.isArray(anyOf) && { [key('anyOf')]: anyOf.map(write) }),
    ...(minItems !== undefined && { [key('minItems')]: toCount(minItems) }),
    ...(maxItems !== undefined && { [key('maxItems')]: toCount(maxItems) }),
  }
}
