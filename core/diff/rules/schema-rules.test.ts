import { describe, expect, test } from 'vitest'
import type { Change, Severity } from '../change.ts'
import { type DiffOptions, diffManifests } from '../diff-manifests.ts'
import { ruleCatalogue } from './schema-rules.ts'

type Schema = { readonly [keyword: string]: unknown }

async function changes(
  before: Schema,
  after: Schema,
  direction: 'input' | 'output',
  options: DiffOptions = {},
): Promise<readonly Change[]> {
  const side = (schema: Schema) => ({
    tools: [
      direction === 'input'
        ? { name: 'tool', inputSchema: schema }
        : { name: 'tool', inputSchema: {}, outputSchema: schema },
    ],
  })
  return (await diffManifests(side(before), side(after), options)).changes
}

/** One property under test, so that paths and inner places are covered as well. */
const field = (schema: unknown): Schema => ({ type: 'object', properties: { x: schema }, required: ['x'] })
const object = (properties: Schema, required: readonly string[] = [], more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const text = { type: 'string' }
const closed = { additionalProperties: false }

/** Rule, before, after, severity as an input, severity as an output. */
type Row = readonly [string, Schema, Schema, Severity, Severity]

const typed =
  (type: string) =>
  (more: Schema = {}): Schema =>
    field({ type, ...more })
const [string, integer, number] = [typed('string'), typed('integer'), typed('number')]
const [list, map] = [typed('array'), typed('object')]

const rows: readonly Row[] = [
  ['type-changed', string(), number(), 'breaking', 'breaking'],
  [
    'type-changed',
    field({ type: ['string', 'null'] }),
    field({ type: ['string', 'number'] }),
    'breaking',
    'breaking',
  ],
  ['type-widened', integer(), number(), 'info', 'breaking'],
  ['type-narrowed', field({ type: ['string', 'null'] }), string(), 'breaking', 'info'],
  ['maximum-lowered', integer({ maximum: 100 }), integer({ maximum: 50 }), 'breaking', 'info'],
  ['maximum-raised', integer({ maximum: 50 }), integer({ maximum: 100 }), 'info', 'breaking'],
  ['maximum-added', number(), number({ maximum: 9 }), 'breaking', 'info'],
  ['maximum-removed', number({ maximum: 9 }), number(), 'info', 'breaking'],
  ['maximum-changed', number({ maximum: 9 }), number({ exclusiveMaximum: 9 }), 'breaking', 'info'],
  ['minimum-added', number(), number({ minimum: 1 }), 'breaking', 'info'],
  ['minimum-removed', number({ minimum: 1 }), number(), 'info', 'breaking'],
  ['minimum-raised', number({ minimum: 1 }), number({ minimum: 2 }), 'breaking', 'info'],
  ['minimum-lowered', number({ minimum: 2 }), number({ minimum: 1 }), 'info', 'breaking'],
  ['minimum-changed', integer({ minimum: 1 }), integer({ exclusiveMinimum: 0 }), 'info', 'info'],
  ['min-length-added', string(), string({ minLength: 1 }), 'breaking', 'info'],
  ['min-length-removed', string({ minLength: 1 }), string(), 'info', 'breaking'],
  ['min-length-raised', string({ minLength: 1 }), string({ minLength: 3 }), 'breaking', 'info'],
  ['min-length-lowered', string({ minLength: 3 }), string({ minLength: 1 }), 'info', 'breaking'],
  ['max-length-added', string(), string({ maxLength: 5 }), 'breaking', 'info'],
  ['max-length-lowered', string({ maxLength: 9 }), string({ maxLength: 5 }), 'breaking', 'info'],
  ['max-items-added', list(), list({ maxItems: 2 }), 'breaking', 'info'],
  ['min-items-raised', list({ minItems: 1 }), list({ minItems: 2 }), 'breaking', 'info'],
  ['max-properties-added', map(), map({ maxProperties: 1 }), 'breaking', 'info'],
  ['min-properties-added', map(), map({ minProperties: 1 }), 'breaking', 'info'],
  ['multiple-of-changed', integer(), integer({ multipleOf: 5 }), 'breaking', 'info'],
  ['pattern-changed', string({ pattern: '^a' }), string({ pattern: '^ab' }), 'breaking', 'info'],
  ['format-changed', string(), string({ format: 'uri' }), 'dangerous', 'info'],
  ['format-changed', string({ format: 'uri' }), string(), 'info', 'dangerous'],
  ['unique-items-changed', list(), list({ uniqueItems: true }), 'breaking', 'info'],
  ['contains-changed', list(), list({ contains: { const: 1 } }), 'breaking', 'info'],
  ['items-changed', list(), list({ items: text }), 'breaking', 'info'],
  ['not-changed', string(), string({ not: { const: 'a' } }), 'breaking', 'info'],
  [
    'condition-changed',
    object({ x: text }),
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
    object({ x: text }, [], { if: { required: ['x'] }, then: { required: ['y'] } }),
    'breaking',
    'info',
  ],
  ['property-names-changed', map(), map({ propertyNames: { maxLength: 2 } }), 'breaking', 'info'],
  ['pattern-properties-changed', map(), map({ patternProperties: { '^a': text } }), 'breaking', 'info'],
  [
    'dependent-changed',
    object({ x: text, y: text }),
    object({ x: text, y: text }, [], { dependentRequired: { x: ['y'] } }),
    'breaking',
    'info',
  ],
  [
    'unevaluated-changed',
    object({ x: text }),
    object({ x: text }, [], { unevaluatedProperties: false }),
    'info',
    'info',
  ],
  ['enum-values-removed', field({ enum: ['a', 'b', 'c'] }), field({ enum: ['a', 'b'] }), 'breaking', 'info'],
  ['enum-values-added', field({ enum: ['a', 'b'] }), field({ enum: ['a', 'b', 'cd'] }), 'info', 'breaking'],
  [
    'enum-value-renamed',
    field({ enum: ['a', 'in_stock'] }),
    field({ enum: ['a', 'in-stock'] }),
    'breaking',
    'breaking',
  ],
  ['enum-added', string(), string({ enum: ['a'] }), 'breaking', 'info'],
  ['enum-removed', string({ enum: ['a'] }), string(), 'info', 'breaking'],
  [
    'enum-form',
    field({ enum: ['a', 'b'] }),
    field({ anyOf: [{ const: 'a' }, { const: 'b' }] }),
    'info',
    'info',
  ],
  ['property-added', object({ a: text }), object({ a: text, b: text }), 'info', 'info'],
  [
    'property-added',
    object({ a: text }, [], closed),
    object({ a: text, b: text }, [], closed),
    'info',
    'info',
  ],
  ['required-property-added', object({ a: text }), object({ a: text, b: text }, ['b']), 'breaking', 'info'],
  ['property-removed', object({ a: text, b: text }), object({ a: text }), 'warning', 'warning'],
  [
    'property-removed',
    object({ a: text, b: text }, ['b'], closed),
    object({ a: text }, [], closed),
    'breaking',
    'breaking',
  ],
  [
    'property-renamed',
    object({ userId: text }, ['userId']),
    object({ user_id: text }, ['user_id']),
    'breaking',
    'breaking',
  ],
  ['required-added', object({ a: text }), object({ a: text }, ['a']), 'breaking', 'info'],
  ['required-removed', object({ a: text }, ['a']), object({ a: text }), 'info', 'breaking'],
  ['additional-properties-closed', object({ a: text }), object({ a: text }, [], closed), 'info', 'info'],
  ['additional-properties-opened', object({ a: text }, [], closed), object({ a: text }), 'info', 'info'],
  ['additional-properties-changed', map({ additionalProperties: text }), map(), 'info', 'breaking'],
  [
    'variant-added',
    field({ anyOf: [text, { type: 'number' }] }),
    field({ anyOf: [text, { type: 'number' }, { type: 'boolean' }] }),
    'info',
    'breaking',
  ],
  [
    'variant-removed',
    field({ anyOf: [text, { type: 'number' }] }),
    field({ anyOf: [text] }),
    'breaking',
    'info',
  ],
  ['null-added', string(), field({ anyOf: [text, { type: 'null' }] }), 'info', 'breaking'],
  ['null-removed', field({ anyOf: [text, { type: 'null' }] }), string(), 'breaking', 'info'],
  [
    'combination-changed',
    field({ allOf: [text] }),
    field({ anyOf: [{ ...text, maxLength: 2 }, { type: 'number' }] }),
    'breaking',
    'breaking',
  ],
  ['default-added', object({ x: text }), object({ x: { ...text, default: 'a' } }), 'info', 'info'],
  [
    'default-changed',
    object({ x: { type: 'integer', default: 1 } }),
    object({ x: { type: 'integer', default: 2 } }),
    'warning',
    'info',
  ],
  ['deprecated-changed', string(), string({ deprecated: true }), 'info', 'info'],
  [
    'generator-dialect',
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { $schema: 'https://json-schema.org/draft/2020-12/schema' },
    'info',
    'info',
  ],
  ['note-changed', string(), string({ 'x-unit': 'm' }), 'info', 'info'],
  ['schema-described', map(), field(object({ a: text, b: text }, ['a'])), 'breaking', 'info'],
  ['schema-undescribed', field(object({ a: text }, ['a'])), field({}), 'info', 'breaking'],
  [
    'generator-bounds',
    integer(),
    integer({ maximum: Number.MAX_SAFE_INTEGER, minimum: -Number.MAX_SAFE_INTEGER }),
    'info',
    'info',
  ],
  ['generator-form', { $ref: '#/$defs/a', $defs: { a: text } }, { ...text }, 'info', 'info'],
  ['part-title-changed', string(), string({ title: 'Name' }), 'info', 'info'],
  ['part-description-changed', string(), string({ description: 'The name' }), 'info', 'info'],
  ['schema-invalid', string(), field({ type: 'strnig' }), 'dangerous', 'dangerous'],
]

describe('diff rules: one cause gives one finding', () => {
  for (const direction of ['input', 'output'] as const)
    test.each(rows)(`%s (${direction}) %#`, async (rule, before, after, asInput, asOutput) => {
      const found = await changes(before, after, direction)
      expect(found.map(change => [change.rule, change.severity])).toEqual([
        ...(rule === 'schema-invalid'
          ? [['schema-invalid', 'dangerous']]
          : [[rule, direction === 'input' ? asInput : asOutput]]),
        ...(rule === 'schema-invalid' ? [['type-changed', 'warning']] : []),
      ])
      const [change] = found
      if (change?.severity === 'breaking')
        expect(change.witness?.acceptedBy).toBe(direction === 'input' ? 'before' : 'after')
    })
})

describe('diff rule schema-changed', () => {
  const dynamic = (more: Schema) => ({
    $dynamicRef: '#x',
    $defs: { x: { $dynamicAnchor: 'x', type: 'object', ...more } },
  })

  test('is breaking, with an input, if the parts cannot be compared one by one', async () => {
    const found = await changes(dynamic({}), dynamic({ maxProperties: 4 }), 'input')
    expect(found).toMatchObject([{ rule: 'schema-changed', severity: 'breaking', strict: 'refuted' }])
    expect(found[0]?.witness).toBeDefined()
  })

  test('is undecided if a reference leads outside the schema', async () => {
    const found = await changes(dynamic({}), { $ref: 'https://example.com/missing' }, 'input')
    expect(found).toMatchObject([{ rule: 'schema-changed', strict: 'unknown' }])
  })
})

/** The other tests of core/diff, as text. */
const otherTests = Object.values(
  import.meta.glob<string>('../**/*.test.ts', { query: '?raw', import: 'default', eager: true }),
).filter(source => !source.includes('const otherTests ='))

test('diff rules: each rule has a row here, or is named in another test of core/diff', () => {
  const covered = new Set(rows.map(([rule]) => rule))
  // The bounds share one implementation: each of its four words is covered for some keyword.
  const family = (id: string) => id.replace(/^(min|max)-?\w*-/, '')
  const families = new Set([...covered].filter(id => family(id) !== id).map(family))
  const isTested = (id: string) =>
    covered.has(id) ||
    id === 'schema-changed' ||
    (family(id) !== id && families.has(family(id))) ||
    otherTests.some(source => source.includes(`'${id}'`))
  expect(Object.keys(ruleCatalogue).filter(id => !isTested(id))).toEqual([])
})

test('diff rules: report paths that lead into the value', async () => {
  const deep = (maximum: number) =>
    object({
      strategy: object({ 'a/b': { type: 'array', items: object({ batch: { type: 'integer', maximum } }) } }),
    })
  const [change] = await changes(deep(100), deep(50), 'input')
  expect(change).toMatchObject({
    path: '/strategy/a~1b/*/batch',
    message: 'maximum lowered: 100 → 50',
    before: 100,
    after: 50,
  })
  expect(change?.witness).toMatchObject({
    value: { strategy: { 'a/b': [{ batch: 51 }] } },
    path: '/strategy/a~1b/0/batch',
  })
})

test('diff rules: report a change in a shared definition as one finding', async () => {
  const schema = (maxLength: number) => ({
    ...object({ from: { $ref: '#/$defs/place' }, to: { $ref: '#/$defs/place' } }),
    $defs: { place: { type: 'string', maxLength } },
  })
  const found = await changes(schema(9), schema(5), 'input')
  expect(found).toMatchObject([{ rule: 'max-length-lowered', severity: 'breaking', path: '/from' }])
})

test('diff rules: report a change inside a recursive schema once, with its other location', async () => {
  const tree = (maximum: number) => ({
    $ref: '#/$defs/node',
    $defs: {
      node: object({
        size: { type: 'integer', maximum },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      }),
    },
  })
  const found = await changes(tree(9), tree(5), 'input')
  expect(found).toMatchObject([
    {
      rule: 'maximum-lowered',
      severity: 'breaking',
      strict: 'refuted',
      path: '/size',
      alsoAt: ['/children/*/size'],
    },
  ])
})

test('diff rules: keep a verdict of its own for each of several causes', async () => {
  const before = object({ a: { type: 'integer', maximum: 9 }, b: text }, ['a'], closed)
  const after = object({ a: { type: 'integer', maximum: 5 }, b: text, c: text }, [], closed)
  const found = await changes(before, after, 'input')
  expect(found.map(({ rule, strict }) => [rule, strict])).toEqual([
    ['maximum-lowered', 'refuted'],
    ['property-added', 'proved'],
    ['required-removed', 'proved'],
  ])
})

test('diff rules: treat a required property with a default as optional for a caller', async () => {
  const withDefault = object({ a: text, b: { ...text, default: 'x' } }, ['a', 'b'])
  const without = object({ a: text, b: text }, ['a', 'b'])
  expect(await changes(withDefault, without, 'input')).toMatchObject([
    { rule: 'required-added', severity: 'breaking', path: '/b' },
    { rule: 'default-changed' },
  ])
  const optional = object({ a: text, b: text }, ['a'])
  for (const change of await changes(optional, withDefault, 'input'))
    expect(change.severity).not.toBe('breaking')
  // What a tool gives is whole: a default changes nothing there.
  expect((await changes(without, withDefault, 'output')).every(change => change.severity === 'info')).toBe(
    true,
  )
})

test('diff rules: use the singular for one in the error of a counterexample', async () => {
  const list = (bounds: object) => object({ list: { type: 'array', ...bounds } })
  const [least] = await changes(list({}), list({ minItems: 1 }), 'input')
  expect(least?.witness?.error).toBe('must have at least 1 item')
  const [most] = await changes(object({ a: text }), { ...object({ a: text }), maxProperties: 1 }, 'input')
  expect(most?.witness?.error).toBe('must have at most 1 property')
})

test('diff rules: name a newly required property, and the default that callers get', async () => {
  const dryRun = { type: 'boolean', default: false }
  const nested = (required: string[]) =>
    object({ list: { type: 'array', items: object({ dryRun }, required) } })
  for (const [before, after, path] of [
    [object({ a: text, dryRun }, ['a']), object({ a: text, dryRun }, ['a', 'dryRun']), '/dryRun'],
    [nested([]), nested(['dryRun']), '/list/*/dryRun'],
  ] as const)
    expect(await changes(before, after, 'input')).toEqual([
      expect.objectContaining({
        rule: 'required-added',
        severity: 'info',
        path,
        message: 'required now: dryRun. It has a default: callers that leave it out get false',
        reason: 'assuming that the server fills the default in',
      }),
    ])
  // A property that is only newly required is still reported once, and so is one without a default.
  const found = await changes(
    object({ a: text, dryRun }),
    object({ a: text, dryRun }, ['a', 'dryRun']),
    'input',
  )
  expect(found.map(({ path, severity }) => [path, severity])).toEqual([
    ['/a', 'breaking'],
    ['/dryRun', 'info'],
  ])
})

describe('diff rules: rate what is harmless for declared fields as info, and as breaking in strict mode', () => {
  const [one, two] = [object({ a: text }), object({ a: text, b: text })]
  test.each([
    ['input', one, two, 'breaking only for callers that send undeclared fields'],
    [
      'output',
      { ...one, ...closed },
      { ...two, ...closed },
      'breaking only for consumers that do not ignore',
    ],
  ] as const)('%s', async (direction, before, after, note) => {
    const [change] = await changes(before, after, direction)
    expect(change).toMatchObject({ severity: 'info', strict: 'refuted', declared: 'proved' })
    expect(change?.message).toContain(note)
    const [strict] = await changes(before, after, direction, { strict: true })
    expect(strict).toMatchObject({ severity: 'breaking', witness: {} })
    expect(strict?.message).not.toContain('only for')
  })
})

test('diff rules: say that JSON Schema ignores an added nullable', async () => {
  expect(await changes(field(text), field({ ...text, nullable: true }), 'input')).toMatchObject([
    { severity: 'info', message: expect.stringContaining('JSON Schema ignores it') },
  ])
})
