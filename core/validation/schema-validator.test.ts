import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoints } from '../compat/numbers.ts'
import { Budget, defaultProofLimits } from '../compat/proof-limits.ts'
import type { Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { fieldMessage, issueSentence } from './read-issues.ts'
import { createSchemaValidator } from './schema-validator.ts'

const issues = (schema: JsonSchema, value: Json) =>
  createSchemaValidator(schema)(value).issues.map(issue => `${issue.path} ${issue.message}`)

test.each([
  [{ type: 'string', maxLength: 3 }, 'abcd', ' must be at most 3 characters, is 4'],
  [{ type: 'string', minLength: 1 }, '', ' must not be empty'],
  [{ enum: ['dev', 'prod'] }, 'x', ' must be one of dev, prod'],
  [{ enum: ['1', 1, 'true', 'two words', ''] }, 'x', ' must be one of "1", 1, "true", "two words", ""'],
  [{ const: 5 }, 6, ' must be 5'],
  [{ const: 'fixed' }, 6, ' must be "fixed"'],
  [{ type: 'integer' }, 1.5, ' must be an integer, is a number'],
  [{ type: 'string' }, false, ' must be text, is false'],
  [{ type: 'integer' }, 'x', ' must be an integer, is text'],
  [{ type: 'string', format: 'date' }, 'x', ' must be a valid date, like 2026-11-21'],
  [{ minimum: 1 }, 0, ' must be at least 1, is 0'],
  [{ multipleOf: 5 }, 3, ' must be a multiple of 5, is 3'],
  [{ minItems: 2 }, [1], ' must have at least 2 items, has 1'],
  [{ uniqueItems: true }, [1, 1], ' must not hold the same item twice'],
  [{ required: ['a/b'] }, {}, '/a~1b missing required value'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b missing required value because a is set'],
  [{ additionalProperties: false }, { 'x y': 1 }, '/x y is not known to the schema'],
  [
    { required: ['message'], properties: { message: {}, mesagi: {} } },
    { mesage: 1, mesagi: 2 },
    '/message missing required value: unknown property mesage, did you mean message?',
  ],
  [
    { properties: { a: { properties: { message: {} }, additionalProperties: false } } },
    { a: { mesage: 1 } },
    '/a/mesage unknown property mesage, did you mean message?',
  ],
  [{ propertyNames: { pattern: '^a' } }, { b: 1 }, ' the key “b” is not allowed here'],
] as const)('schema validator: the schema %j refuses %j in plain words', (schema, value, message) => {
  expect(issues(schema as JsonSchema, value as Json)).toEqual([message])
})

test('schema validator: shows a pattern by a text that matches it, and the pattern in the details', () => {
  const { issues } = createSchemaValidator({ type: 'string', pattern: '^b-[0-9]{4}$' })('1842')
  expect(issues).toMatchObject([
    { message: expect.stringMatching(/^must look like b-\d{4}$/), details: 'pattern ^b-[0-9]{4}$' },
  ])
})

test('fieldMessage: gives one message for a field, and what else is wrong as details', () => {
  const validate = createSchemaValidator({ type: 'string', pattern: '^b-[0-9]$', maxLength: 3 })
  expect(fieldMessage(validate('build').issues)).toEqual({
    message: expect.stringMatching(/^Must look like b-\d$/),
    details: ['pattern ^b-[0-9]$', 'must be at most 3 characters, is 5'],
  })
  expect(fieldMessage(validate('b-1').issues)).toBeUndefined()
})

test.each([
  [{ required: ['name'] }, {}, 'Required', 'name: missing required value'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'Required because a is set', undefined],
  [{ type: 'number' }, 'x', 'Enter a number', '/: must be a number, is text'],
  [{ type: ['string', 'null'] }, 1, 'Enter text or null', '/: must be text or null, is a number'],
  [{ maximum: 9 }, 10, 'Must be at most 9, is 10', '/: must be at most 9, is 10'],
  [
    { properties: { a: { items: { type: 'object' } } } },
    { a: [1] },
    'Enter an object',
    'a.0: must be an object, is a number',
  ],
  [{ required: ['a b'] }, {}, 'Required', '/a b: missing required value'],
] as const)(
  'fieldMessage: for %j and %j says what to do, and a list names the field',
  (schema, value, atField, inList) => {
    const { issues } = createSchemaValidator(schema as JsonSchema)(value as unknown as Json)
    expect(fieldMessage(issues)?.message).toBe(atField)
    if (inList !== undefined) expect(issues.map(issue => issueSentence(issue))).toEqual([inList])
  },
)

test('fieldMessage: stays a sentence if a subject is given', () => {
  const { issues } = createSchemaValidator({ type: 'object' })(1)
  expect(fieldMessage(issues, 'The input')?.message).toBe('The input must be an object, is a number')
})

test('schema validator: reports the branch of a union that was meant', () => {
  const schema: JsonSchema = {
    properties: {
      strategy: {
        oneOf: [
          {
            type: 'object',
            properties: { type: { const: 'rolling' }, batch: { type: 'integer' } },
            required: ['type'],
          },
          {
            type: 'object',
            properties: { type: { const: 'canary' }, steps: { type: 'array' } },
            required: ['type', 'steps'],
          },
        ],
      },
      id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  }
  expect(issues(schema, { strategy: { type: 'canary' } })).toEqual(['/strategy/steps missing required value'])
  expect(issues(schema, { strategy: { type: 'rolling', batch: 'x' } })).toEqual([
    '/strategy/batch must be an integer, is text',
  ])
  expect(issues(schema, { id: true })).toEqual(['/id fits none of the shapes that the schema offers'])
})

test('schema validator: treats keys of Object.prototype as neither present nor known', () => {
  expect(issues({ required: ['constructor', 'toString'] }, {})).toEqual([
    '/constructor missing required value',
    '/toString missing required value',
  ])
  const reading = readJson('{"__proto__":1}')
  expect(reading.ok && issues({ additionalProperties: false }, reading.value ?? null)).toEqual([
    '/__proto__ is not known to the schema',
  ])
})

test('schema validator: understands patterns of the older mode', () => {
  expect(issues({ pattern: '^[\\w\\-\\.]+\\@x\\_$' }, 'a-b@x_')).toEqual([])
  expect(createSchemaValidator({ pattern: '(' })('x').verdict).toBe('unchecked')
})

test('schema validator: gives “unchecked” for a schema that it cannot apply, and does not throw', () => {
  let deep: JsonSchema = {}
  for (let depth = 0; depth < 50_000; depth++) deep = { items: deep }
  const hostile: JsonSchema[] = [
    { $ref: '#' },
    { $ref: '#/nowhere' },
    { $ref: 'https://elsewhere/x' },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
  ]
  for (const schema of hostile) expect(createSchemaValidator(schema)({}).verdict).toBe('unchecked')
  // What the value does not lead to does no harm.
  expect(createSchemaValidator(deep)({}).verdict).toBe('valid')
  let nested: Json = []
  for (let depth = 0; depth < 50_000; depth++) nested = [nested]
  expect(createSchemaValidator(deep)(nested).verdict).toBe('unchecked')
  for (const broken of [{ properties: null }, { required: true }, { enum: 5 }, { allOf: {} }, { type: 7 }])
    expect(() => createSchemaValidator(broken as JsonSchema)({ a: 1 })).not.toThrow()
})

test('codePoints: counts like a string iterator, lone halves of pairs included', () => {
  const units = fc
    .array(fc.constantFrom('a', '\u{1F600}', '\uD83D', '\uDE00', 'é'))
    .map(list => list.join(''))
  fc.assert(fc.property(units, text => codePoints(text) === [...text].length))
})

test('schema validator: spends its budget on a text of megabytes, but not on 900 short ones', () => {
  const schema = { items: { type: 'string', maxLength: 5 } }
  const judge = (value: Json) =>
    createSchemaValidator(schema, { budget: new Budget({ ...defaultProofLimits, steps: 1_000 }) })(value)
      .verdict
  expect(judge(Array.from({ length: 900 }, () => 'a'))).toBe('valid')
  expect(judge(['x'.repeat(5_000_000)])).toBe('unchecked')
})
