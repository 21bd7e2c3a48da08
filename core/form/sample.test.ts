import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadPatterns } from '../compat/pattern.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { samplePattern } from '../validation/sample-pattern.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import { fillDefaults } from './defaults.ts'
import { sampleValue } from './sample.ts'

test('samplePattern: makes texts that match a pattern, or null if it cannot read the pattern', async () => {
  await loadPatterns()
  for (const pattern of [
    '^b-[0-9]+$',
    '^(a|bc){2,3}$',
    '^[A-Z]{2}\\d{4}$',
    '\\.png$',
    '^[^/]+/[^/]+$',
    '^\\p{L}+$',
    '^(?:x-)?[a-f0-9]{32}$',
    '^\\+?[1-9]\\d{1,14}$',
    '^(?!no)[a-z]{4}$',
    '^.{3}$',
    '',
  ])
    for (const seed of [1, 2, 3]) {
      const sample = samplePattern(pattern, pseudoRandom(seed))
      expect(sample, pattern).not.toBeNull()
      expect(sample ?? '').toMatch(new RegExp(pattern, 'u'))
    }
  expect(samplePattern('(')).toBeNull()
  expect(samplePattern('^(a)\\1$')).toBeNull()
})

const schemas: JsonSchema[] = [
  {
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'integer', minimum: 5, multipleOf: 7 },
      b: { type: 'string', format: 'date-time' },
    },
  },
  { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } },
  { type: 'array', minItems: 3, uniqueItems: true, items: { enum: [1, 2, 3, 4] } },
  { type: 'object', minProperties: 2, additionalProperties: { type: 'number', exclusiveMinimum: 0 } },
  {
    type: 'object',
    patternProperties: { '^x-': { type: 'boolean' } },
    additionalProperties: false,
    minProperties: 1,
  },
  { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
  { type: 'string', minLength: 30, maxLength: 40 },
  { type: 'string', pattern: '^[a-z]+$', minLength: 12 },
  {
    $defs: {
      N: {
        type: 'object',
        properties: { next: { $ref: '#/$defs/N' }, v: { type: 'integer' } },
        required: ['v'],
      },
    },
    $ref: '#/$defs/N',
  },
  {
    type: 'object',
    properties: { k: { enum: ['x', 'y'] } },
    required: ['k'],
    if: { properties: { k: { const: 'x' } } },
    // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
    then: { required: ['z'], properties: { z: { type: 'integer' } } },
  },
  { type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { type: 'object', properties: { card: { type: 'string' } }, dependentRequired: { card: ['holder'] } },
]

test.each(schemas.map(schema => [JSON.stringify(schema).slice(0, 80), schema] as const))(
  'sampleValue: makes valid values for %s',
  (_, schema) => {
    const judge = createSchemaValidator(schema)
    for (const optional of ['all', 'some', 'none'] as const) {
      expect(judge(sampleValue(schema, { optional })).issues).toEqual([])
      for (let seed = 0; seed < 5; seed++)
        expect(judge(sampleValue(schema, { optional, random: pseudoRandom(seed) })).issues).toEqual([])
    }
  },
)

test.each([
  // A tool without parameters: nothing is invented.
  [{}, {}],
  [{ type: 'object' }, {}],
  [{ type: 'object', properties: {} }, {}],
  [{ type: 'object', additionalProperties: true }, {}],
  [{ type: 'object', additionalProperties: {} }, {}],
  [{ type: 'object', additionalProperties: false }, {}],
  [{ type: 'object', properties: { any: { type: 'object' } } }, { any: {} }],
  // What the author says of entries is shown by one, unless there are fields to show.
  [{ type: 'object', additionalProperties: { type: 'string' } }, { key1: 'text' }],
  [{ type: 'object', patternProperties: { '^x-a$': { type: 'boolean' } } }, { 'x-a': true }],
  [{ type: 'object', propertyNames: { enum: ['en'] } }, { en: 'text' }],
  [
    { type: 'object', properties: { name: { const: 'n' } }, additionalProperties: { type: 'string' } },
    { name: 'n' },
  ],
  // What is demanded is there, and the author's own goes before everything.
  [{ type: 'object', minProperties: 1 }, { key1: 'text' }],
  [{ type: 'object', properties: { m: { type: 'object', default: { a: 1 } } } }, { m: { a: 1 } }],
  [
    { type: 'object', examples: [{ q: 1 }, { q: 'whole' }], properties: { q: { type: 'string' } } },
    { q: 'whole' },
  ],
  [{ properties: { e: { enum: ['x', 'y'], default: 'y' } } }, { e: 'y' }],
  // An example or a default that is not valid is not taken.
  [{ properties: { n: { type: 'integer', minimum: 5, default: 1, examples: [2, 7] } } }, { n: 7 }],
] as const)('sampleValue: for %j makes %j', (schema, value) => {
  expect(sampleValue(schema as JsonSchema)).toEqual(value)
})

test.each([
  [{ type: 'string', description: 'Type of resource (e.g., pods, deployments, etc.)' }, 'pods'],
  [{ type: 'string', description: "A selector (e.g. 'app=nginx')" }, 'app=nginx'],
  [{ type: 'string', description: 'The month, such as 2026-11 or 2026-12.' }, '2026-11'],
  [{ type: 'string', description: 'Example: octocat/hello-world.' }, 'octocat/hello-world'],
  [{ type: 'string', description: 'The branch; for example `main`.' }, 'main'],
  [{ type: 'string', format: 'date', description: 'For example "soon" or "2026-11-03"' }, '2026-11-03'],
  [{ type: 'string', maxLength: 3, description: 'e.g. Paris, Rom' }, 'Rom'],
  [{ type: 'string', enum: ['json', 'yaml'], description: 'e.g. `yaml`' }, 'yaml'],
  [{ type: 'integer', description: 'Pages, e.g. 25' }, 25],
  [{ type: 'array', items: { type: 'string' }, description: 'e.g. ["a", "b"]' }, ['a', 'b']],
  [{ type: 'array', items: { type: 'string' }, description: 'Labels such as bug, docs' }, ['bug']],
  [{ type: 'object', description: 'e.g. {"depth": 2}' }, { depth: 2 }],
  // A sentence, a form to fill in and a text in quotes without a marker are not examples.
  [{ type: 'string', description: 'Anything, e.g. the name of the branch that you want' }, 'text'],
  [{ type: 'string', description: 'A date, e.g. YYYY-MM-DD' }, '2026-11-25'],
  [{ type: 'string', description: 'When. Format: YYYY-MM-DD HH:mm:ss' }, '2026-11-25 14:11:00'],
  [{ type: 'string', description: 'As yyyy-mm-ddTHH:mm:ss.SSSZ' }, '2026-11-25T14:11:00.000Z'],
  [{ type: 'string', description: '24-hour format (HH:MM)' }, '14:11'],
  [{ type: 'string', description: 'The month (MM/YYYY)' }, '11/2026'],
  [{ type: 'string', description: 'Format: YYYY-MM-DD', maxLength: 4 }, 'text'],
  [{ type: 'string', description: 'Format: YYYY-MM-DD', format: 'email' }, 'ada@example.com'],
  [{ type: 'string', description: 'The id that "list_pages" returns' }, 'text'],
] as const)('sampleValue: takes the example of %j from its words', (schema, value) => {
  const input = { type: 'object', properties: { field: schema } } as unknown as JsonSchema
  expect(sampleValue(input)).toEqual({ field: value })
})

test('sampleValue: prefers the values of saved inputs, if they are valid', () => {
  const place = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } } as const
  const schema: JsonSchema = {
    type: 'object',
    required: ['limit', 'place'],
    properties: { limit: { type: 'integer', default: 1 }, place, note: { type: 'string' } },
  }
  const saved = [{ limit: 'many', place: { city: 'Oslo' }, note: 'kept' }, { limit: 9 }]
  expect(sampleValue(schema, { saved, optional: 'none' })).toEqual({ limit: 9, place: { city: 'Oslo' } })
  expect(sampleValue(schema, { saved })).toEqual({ limit: 9, place: { city: 'Oslo' }, note: 'kept' })
})

test('sampleValue: gives an absolute path to a field that is described as one', () => {
  const of = (description: string) => sampleValue({ type: 'string', description })
  expect(of('Absolute path to the Excel file')).toBe('/path/to/file')
  expect(of('The absolute file path, e.g. /srv/a.txt')).toBe('/srv/a.txt')
  expect(of('A path')).toBe('text')
})

test('sampleValue: gives a required list one item', () => {
  const schema = { required: ['paths'], properties: { paths: { type: 'array', items: { type: 'string' } } } }
  expect(sampleValue(schema, { optional: 'none' })).toEqual({ paths: ['text'] })
})

test('sampleValue: ends for any schema', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      sampleValue(value as JsonSchema)
    }),
  )
  expect(
    sampleValue({
      $defs: { A: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/A' } } } },
      $ref: '#/$defs/A',
    }),
  ).toBeTypeOf('object')
})

test('fillDefaults: fills what is absent, and nothing else', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      n: { default: 3 },
      kept: { default: 1 },
      optional: { type: 'object', properties: { x: { default: 1 } } },
      needed: { type: 'object', properties: { x: { default: null } } },
    },
    required: ['needed'],
  }
  expect(fillDefaults(schema, { kept: null })).toEqual({ n: 3, kept: null, needed: { x: null } })
  expect(fillDefaults({ type: 'object', properties: { a: {} } }, undefined)).toBeUndefined()
})
