import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { arbitraryDocuments, arbitraryValues, schemas } from '../../core/compat/testing/arbitrary-schemas.ts'
import { generateValues } from '../../core/compat/testing/generate-values.ts'
import type { Json } from '../../core/json/json.ts'
import { hostileSchemas } from '../../core/schema/hostile-schemas.testkit.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'
import { isSurelyValid, takesQuickChecks } from './quick-check.ts'

const person: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { anyOf: [{ type: 'integer' }, { const: null }] },
  },
  required: ['name'],
  additionalProperties: false,
}

test('isSurelyValid: is true for small valid values of a plain schema, and false for invalid ones', () => {
  expect(isSurelyValid(person, { name: 'Ada', age: 36 })).toBe(true)
  expect(isSurelyValid(person, { name: 'Ada', age: null })).toBe(true)
  for (const bad of [{}, { name: '' }, { name: 'Ada', age: 1.5 }, { name: 'Ada', more: 1 }, 'Ada', null])
    expect(isSurelyValid(person, bad), JSON.stringify(bad)).toBe(false)
})

test('isSurelyValid: is true only for values that the validator finds valid', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.oneof(schemas, arbitraryDocuments),
      fc.array(arbitraryValues, { maxLength: 4 }),
      (schema, more) => {
        const validate = createSchemaValidator(schema as JsonSchema)
        for (const value of [...generateValues(schema, 4), ...more])
          if (isSurelyValid(schema as JsonSchema, value)) {
            found += 1
            expect(validate(value as Json).verdict).toBe('valid')
          }
      },
    ),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(100)
})

test('isSurelyValid: is false for a schema with a broken part, even next to a part that fits', () => {
  expect(isSurelyValid({ anyOf: [{ type: 'string' }, { type: 'strin' }] } as JsonSchema, 'x')).toBe(false)
})

test('quick checks: leave slow keywords, large values and long work to the threads', () => {
  for (const [keyword, value] of Object.entries({
    $ref: '#/$defs/a',
    $dynamicRef: '#a',
    pattern: '^a',
    patternProperties: { '^a': {} },
    format: 'date',
    uniqueItems: true,
    multipleOf: 0.1,
  }))
    expect(takesQuickChecks({ properties: { a: { [keyword]: value } } }), keyword).toBe(false)
  expect(takesQuickChecks(person)).toBe(true)
  expect(isSurelyValid({}, 'x'.repeat(30_000))).toBe(false)
  expect(isSurelyValid({ description: 'x'.repeat(10_000) }, 'x'.repeat(1_000))).toBe(false)
  expect(isSurelyValid({ minimum: 0 }, new LosslessNumber('1e1999'))).toBe(false)
  const branches = { items: { anyOf: [...Array.from({ length: 300 }, () => false), true] } }
  expect(isSurelyValid(branches, [1])).toBe(true)
  expect(
    isSurelyValid(
      branches,
      Array.from({ length: 100 }, () => 1),
    ),
  ).toBe(false)
})

test('isSurelyValid: returns for hostile schemas, and is false for endless values and broken schemas', () => {
  const endless: unknown[] = []
  endless.push(endless)
  expect(isSurelyValid({}, endless)).toBe(false)
  for (const [name, schema] of Object.entries(hostileSchemas()))
    expect(isSurelyValid(schema, { value: 'word1' }), name).toBeTypeOf('boolean')
  for (const odd of [null, true, 'string', 7, []] as unknown[])
    expect(isSurelyValid(odd as JsonSchema, {}), String(odd)).toBe(false)
})
