import { Validator } from '@cfworker/json-schema'
import { beforeAll, expect, test } from 'vitest'
import { loadCompat } from '../compat/is-subschema.ts'
import { canonicalJson } from '../json/equality.ts'
import { jsonText } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { finish } from '../slices.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { confirmInputs, createLikenessTest, type SecondValidator } from './confirm-inputs.ts'
import { type GenerateOptions, generateInputs } from './generate-inputs.ts'
import { maxCopies } from './schema-sites.ts'

beforeAll(loadCompat)

const createSecond: SecondValidator = (schema, draft) => {
  const validator = new Validator(schema, draft)
  return value => validator.validate(value).valid
}

const generate = (schema: JsonSchema, options?: GenerateOptions) => finish(generateInputs(schema, options))
const confirm = (...parts: Parameters<typeof confirmInputs>) => finish(confirmInputs(...parts))

function object(properties: object, more: object = {}): JsonSchema {
  return { type: 'object', properties, ...more } as JsonSchema
}

/** Returns the invalid inputs of a schema, as `keyword field input`. */
function breaks(schema: JsonSchema): string[] {
  return generate(schema)
    .inputs.filter(({ kind }) => kind === 'invalid')
    .map(({ constraint, field, input }) => `${constraint.keyword} ${field} ${jsonText(input)}`)
}

const rich = object(
  {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    code: { type: 'string', pattern: '^[a-z]{3}$' },
    mail: { type: 'string', format: 'email' },
    mode: { enum: ['fast', 'slow'] },
    size: { type: 'integer', minimum: 1, maximum: 9 },
    step: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3, uniqueItems: true },
    target: { anyOf: [{ type: 'integer' }, object({ id: { type: 'string' } }, { required: ['id'] })] },
  },
  { required: ['name', 'mode'], additionalProperties: false },
)

test('generate inputs: each constraint of each type has one input that breaks only it', () => {
  const { inputs, coverage, unknowns } = generate(rich)
  expect(unknowns).toEqual([])
  expect(coverage.constraints.exercised).toBe(coverage.constraints.total)
  expect(coverage.branches).toEqual({ total: 2, exercised: 2 })
  expect(coverage.enumValues).toEqual({ total: 2, exercised: 2 })
  expect(inputs.filter(({ alsoBreaks }) => alsoBreaks.length > 0)).toEqual([])
})

test('generate inputs: both validators confirm every input', () => {
  const { inputs } = generate(rich)
  const confirmed = confirm(rich, inputs, createSecond)
  expect(confirmed.filter(({ isConfirmed, reason }) => !isConfirmed && reason === undefined)).toEqual([])
  expect(confirmed.filter(({ isConfirmed }) => isConfirmed).length).toBeGreaterThan(20)
})

test('generate inputs: the field of an error is the missing, the unknown or the wrong one', () => {
  const schema = object(
    { at: object({ x: { type: 'number' } }, { required: ['x'], additionalProperties: false }) },
    { required: ['at'] },
  )
  expect(breaks(schema)).toEqual([
    'required /at {}',
    'type /at {"at":"text"}',
    'required /at/x {"at":{}}',
    'additionalProperties /at/unexpected {"at":{"x":1,"unexpected":"text"}}',
    'type /at/x {"at":{"x":"text"}}',
  ])
})

test('generate inputs: a required property with a default is optional for a caller', () => {
  expect(breaks(object({ size: { type: 'integer', default: 1 } }, { required: ['size'] }))).toEqual([
    'type /size {"size":1.5}',
    'type /size {"size":"text"}',
  ])
})

test('generate inputs: the smallest and the largest values of a range are valid inputs', () => {
  const { inputs } = generate(object({ n: { type: 'integer', minimum: 2, maximum: 7 } }, { required: ['n'] }))
  const valid = inputs.filter(({ kind }) => kind === 'valid').map(({ input }) => jsonText(input))
  expect(valid).toEqual(expect.arrayContaining(['{"n":2}', '{"n":7}']))
})

test('generate inputs: an integer that a double cannot hold says so', () => {
  const { inputs } = generate(object({ n: { type: 'integer' } }))
  expect(
    inputs.filter(({ isBeyondDoubles }) => isBeyondDoubles).map(({ input }) => writeJson(input, 0)),
  ).toEqual(['{"n":9007199254740993}'])
})

test('generate inputs: a constraint that another branch makes useless does not count', () => {
  const { coverage, unknowns } = generate(
    object({ at: { anyOf: [object({ id: { type: 'string', maxLength: 3 } }), { type: 'object' }] } }),
  )
  expect(unknowns).toEqual([])
  expect(coverage.constraints.exercised).toBe(coverage.constraints.total)
})

test('generate inputs: references and conditions are followed, and recursion ends', () => {
  const schema = object(
    {
      kind: { enum: ['a', 'b'] },
      size: { type: 'integer' },
      next: { $ref: '#' },
    },
    {
      required: ['kind'],
      if: { properties: { kind: { const: 'b' } } },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { required: ['size'] },
    },
  )
  const { coverage, unknowns } = generate(schema)
  expect(unknowns).toEqual([])
  expect(coverage.branches).toEqual({ total: 1, exercised: 1 })
  expect(breaks(schema)).toContain('required /size {"kind":"b"}')
})

test('generate inputs: the same seed gives the same inputs, another one gives others', () => {
  const texts = (seed: number) => generate(rich, { seed }).inputs.map(({ input }) => canonicalJson(input))
  expect(texts(7)).toEqual(texts(7))
  expect(texts(7)).not.toEqual(texts(8))
})

test('generate inputs: the maximum of inputs is kept, and what is missing is said', () => {
  const { inputs, unknowns, coverage } = generate(rich, { maxInputs: 5 })
  expect(inputs).toHaveLength(5)
  expect(unknowns.length).toBe(coverage.constraints.total - coverage.constraints.exercised)
  expect(unknowns.length).toBeGreaterThan(0)
})

test('generate inputs: a branch whose input is beyond the maximum is not exercised', () => {
  const schema = object({
    id: { anyOf: [{ type: 'integer' }, object({ name: { type: 'string' } }, { required: ['name'] })] },
  })
  const exercised = (maxInputs: number) => {
    const { inputs, coverage, branchInputs } = generate(schema, { maxInputs })
    expect(branchInputs.every(input => inputs.includes(input))).toBe(true)
    return coverage.branches
  }
  expect(exercised(100)).toEqual({ total: 2, exercised: 2 })
  expect(exercised(1)).toEqual({ total: 2, exercised: 0 })
})

test('generate inputs: a schema that allows nothing has a problem and no inputs', () => {
  const { inputs, problem } = generate({ allOf: [false], type: 'object' } as unknown as JsonSchema)
  expect(inputs).toEqual([])
  expect(problem).toBe('no valid input was found')
})

test('generate inputs: oneOf is broken by no branch and by two branches', () => {
  const one = (name: string) => object({ [name]: { type: 'string' } }, { required: [name] })
  const schema = object({ by: { oneOf: [one('id'), one('name')] } }, { required: ['by'] })
  const { inputs } = generate(schema)
  const broken = inputs.filter(({ kind, constraint }) => kind === 'invalid' && constraint.keyword === 'oneOf')
  expect(broken.some(({ input }) => /"id".*"name"/.test(jsonText(input) ?? ''))).toBe(true)
  expect(broken.length).toBe(2)
  const inBranch = inputs.find(({ field, kind }) => kind === 'invalid' && field === '/by/name')
  expect(inBranch?.container).toBe('/by')
})

test('likeness test: accepts only objects that break the same constraints', () => {
  const { inputs } = generate(rich)
  const tooBig = inputs.find(({ kind, constraint }) => kind === 'invalid' && constraint.keyword === 'maximum')
  if (tooBig === undefined) throw new Error('the input is missing')
  const isAlike = createLikenessTest(rich, tooBig, createSecond)
  const smallest = { name: 'ab', mode: 'fast' }
  expect(isAlike({ ...smallest, size: 12 })).toBe(true)
  expect(isAlike({ ...smallest, size: 9 })).toBe(false)
  expect(isAlike({ ...smallest, size: 12, mode: 'no' })).toBe(false)
  expect(isAlike({ mode: 'fast', size: 12 })).toBe(false)
  expect(isAlike(12)).toBe(false)
})

test('generate inputs: a huge input has few copies, because each of them is validated', () => {
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 'a']))
  expect(maxCopies(wide)).toBe(20)
  expect(maxCopies({ size: 1 })).toBeGreaterThan(3_000)
})

test('generate inputs: an integer has a forbidden fraction and a forbidden type', () => {
  const found = breaks(object({ size: { type: 'integer' } }))
  expect(found).toEqual(['type /size {"size":1.5}', 'type /size {"size":"text"}'])
})
