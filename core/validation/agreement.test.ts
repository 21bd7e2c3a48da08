/** Our validator gives the verdicts that Ajv gives; where it does not, this file gives the reason. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleValue } from '../form/sample.ts'
import { spoil } from '../form/spoil.testkit.ts'
import type { Json } from '../json/json.ts'
import { toPlain } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { compileSchema } from './ajv.testkit.ts'
import { pseudoRandom } from './random.ts'
import { createSchemaValidator } from './schema-validator.ts'

interface Listed {
  readonly name: string
  readonly inputSchema: JsonSchema
}

const constructs = JSON.parse(
  readFileSync(new URL('../../bench/forms/constructs.json', import.meta.url), 'utf8'),
) as { readonly tools: readonly Listed[] }

type Verdicts = (value: Json) => string

function ajvVerdicts(schema: JsonSchema): Verdicts {
  try {
    const validate = compileSchema(schema)
    // The value as plain JSON: objects with a prototype.
    return value => (validate(JSON.parse(JSON.stringify(toPlain(value)))) ? 'valid' : 'invalid')
  } catch {
    return () => 'unchecked'
  }
}

function ownVerdicts(schema: JsonSchema): Verdicts {
  const validate = createSchemaValidator(schema)
  return value => validate(value).verdict
}

const ajv = (schema: JsonSchema, value: Json) => ajvVerdicts(schema)(value)
const own = (schema: JsonSchema, value: Json) => ownVerdicts(schema)(value)

/** The tests below explain these. */
const explained = new Set(['prototype names', 'circle', 'unknown types', 'slow pattern'])

test.each(
  constructs.tools.filter(({ name }) => !explained.has(name)).map(tool => [tool.name, tool] as const),
)('schema validator: gives Ajv’s verdicts for %s, on valid and spoilt inputs', (_, { inputSchema }) => {
  const byAjv = ajvVerdicts(inputSchema)
  const byOurs = ownVerdicts(inputSchema)
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(3), (seed, spoils) => {
      const random = pseudoRandom(seed)
      let value = sampleValue(inputSchema, { random, optional: 'some' })
      for (let round = 0; round < spoils; round++) value = spoil(value, random)
      expect({ value, verdict: byOurs(value) }).toEqual({ value, verdict: byAjv(value) })
    }),
    { numRuns: 20 },
  )
})

describe('schema validator: differences from Ajv', () => {
  test('counts what allOf has evaluated, also with a condition without else and unevaluatedProperties', () => {
    const schema: JsonSchema = {
      allOf: [{ properties: { a: {} } }],
      if: { required: ['b'] },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { properties: { c: {} } },
      unevaluatedProperties: false,
    }
    expect(own(schema, { a: 1 })).toBe('valid')
    expect(ajv(schema, { a: 1 })).toBe('invalid')
  })

  test('meets a dead end only if a value leads to it, while Ajv compiles everything beforehand', () => {
    const circle = constructs.tools.find(({ name }) => name === 'circle')?.inputSchema ?? true
    expect([ajv(circle, {}), own(circle, {})]).toEqual(['unchecked', 'valid'])
    expect(own(circle, { a: 1 })).toBe('unchecked')
    const unknown = { properties: { f: { type: 'file' } } }
    expect([ajv(unknown, {}), own(unknown, {})]).toEqual(['unchecked', 'valid'])
  })
})

describe('schema validator: agreement with Ajv', () => {
  test('checks the numeric format int32', () => {
    const schema = { type: 'integer', format: 'int32' }
    expect([ajv(schema, 12345678901234), own(schema, 12345678901234)]).toEqual(['invalid', 'invalid'])
    expect([ajv(schema, 12), own(schema, 12)]).toEqual(['valid', 'valid'])
  })

  test('looks at own keys only', () => {
    const schema = { properties: { hasOwnProperty: { type: 'integer' } } }
    expect(ajv(schema, {})).toBe('valid')
    expect(own(schema, {})).toBe('valid')
  })

  test('reads a list of schemas in items as older drafts do', () => {
    const schema = { items: [{ type: 'string' }] }
    expect(own(schema, ['a'])).toBe('valid')
    expect(own(schema, [1])).toBe('invalid')
    expect(ajv(schema, ['a'])).toBe('valid')
    expect(ajv(schema, [1])).toBe('invalid')
  })
})
