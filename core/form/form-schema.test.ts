import { describe, expect, test } from 'vitest'
import type { Json } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { bestBranch } from './branch-match.ts'
import type { FormNode } from './form-node.ts'
import { getFormPlanner } from './form-schema.ts'
import { objectFields } from './object-fields.ts'

const plan = (schema: JsonSchema, root = schema): FormNode => getFormPlanner(root).plan(schema)
const property = (node: FormNode, name: string) =>
  node.kind === 'object' ? node.properties.find(candidate => candidate.name === name) : undefined

describe('form planner: one control for each construct', () => {
  test.each([
    [{ type: 'string' }, { kind: 'string', control: 'text' }],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'string', control: 'date-time' },
    ],
    [
      { type: 'string', format: 'password' },
      { kind: 'string', control: 'secret' },
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { kind: 'string', control: 'binary' },
    ],
    [
      { type: 'string', maxLength: 5000 },
      { kind: 'string', control: 'long' },
    ],
    [{ type: 'integer' }, { kind: 'number', integer: true }],
    [{ type: ['integer', 'number'] }, { kind: 'number', integer: false }],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ const: null }, { kind: 'const', value: null }],
    [{ enum: [1, 'a', null, { b: 1 }] }, { kind: 'enum' }],
    [{ type: ['string', 'null'] }, { kind: 'string', nullable: true }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'string', nullable: true }],
    [
      { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      {
        kind: 'enum',
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] }, { kind: 'string', suggestions: ['a', 'b'] }],
    [
      { prefixItems: [{}, {}], items: false },
      { kind: 'array', items: false },
    ],
    [
      { items: [{}, {}], additionalItems: { type: 'string' } },
      { kind: 'array', items: { type: 'string' } },
    ],
    [{ additionalProperties: { type: 'string' } }, { kind: 'object', additional: { type: 'string' } }],
    [{ pattern: '^a' }, { kind: 'string' }],
    [{ minimum: 1 }, { kind: 'number' }],
    [{}, { kind: 'any' }],
    [true, { kind: 'any' }],
    [false, { kind: 'never' }],
    [{ type: 'file' }, { kind: 'any', notices: ['“file” is not a type of JSON Schema.'] }],
    [
      { $ref: '#/nowhere' },
      { kind: 'any', notices: ['The reference #/nowhere has no target in this schema.'] },
    ],
  ] as const)('plans %j', (schema, expected) => {
    expect(plan(schema as unknown as JsonSchema)).toMatchObject(expected)
  })
})

test('form planner: joins allOf and references with siblings into one level', () => {
  const root: JsonSchema = {
    $defs: { base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    allOf: [{ $ref: '#/$defs/base' }, { properties: { id: { minLength: 2 }, n: { type: 'integer' } } }],
    description: 'outer',
  }
  const node = plan(root)
  expect(node.kind === 'object' && node.properties.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['n', false],
  ])
  expect(node.schema.description).toBe('outer')
  expect(plan(property(node, 'id')?.schema ?? true, root)).toMatchObject({
    kind: 'string',
    schema: { minLength: 2 },
  })
})

test('form planner: names branches by title, fixed key, reference or shape', () => {
  const root: JsonSchema = {
    $defs: { Point: { type: 'array' } },
    anyOf: [
      { title: 'By name', type: 'string' },
      { type: 'object', properties: { kind: { const: 'circle' }, r: {} } },
      { type: 'object', properties: { kind: { const: 'square' }, r: {} } },
      { $ref: '#/$defs/Point' },
      { type: 'object', required: ['lat', 'lon'] },
      { type: 'integer' },
      { type: 'integer', minimum: 5 },
    ],
  }
  const node = plan(root)
  expect(node.kind === 'union' && node.branches.map(branch => branch.label)).toEqual([
    'By name',
    'circle',
    'square',
    'Point',
    'with lat, lon',
    'integer (1)',
    'integer (2)',
  ])
})

test('form planner: keeps the other keywords of a union in each branch', () => {
  const root: JsonSchema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
  }
  const node = plan(root)
  const names = node.kind === 'union' ? node.branches.map(({ schema }) => plan(schema, root)) : []
  expect(names.map(branch => branch.kind === 'object' && branch.properties.map(({ name }) => name))).toEqual([
    ['a', 'name'],
    ['b', 'name'],
  ])
})

test('form planner: shows the fields of a union that only demands keys', () => {
  const node = plan({
    type: 'object',
    properties: { a: {}, b: {} },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  })
  expect(node).toMatchObject({
    kind: 'object',
    demands: [{ keyword: 'anyOf', alternatives: [['a'], ['b']] }],
  })
})

// biome-ignore-start lint/suspicious/noThenProperty: the JSON Schema keyword
test('form planner: adds and removes fields by conditions and dependencies', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { country: { enum: ['us', 'de'] }, card: { type: 'string' } },
    if: { properties: { country: { const: 'us' } }, required: ['country'] },
    then: { properties: { zip: { type: 'string' } }, required: ['zip'] },
    else: { properties: { plz: { type: 'integer' } } },
    dependentRequired: { card: ['holder'] },
    dependentSchemas: { card: { properties: { cvc: { type: 'string' } } } },
  }
  const planner = getFormPlanner(schema)
  const node = planner.plan(schema)
  if (node.kind !== 'object') throw new Error(node.kind)
  const names = (value: { [key: string]: Json }) =>
    objectFields(planner, node, value).properties.map(({ name }) => name)
  expect(names({})).toEqual(['country', 'card', 'plz'])
  expect(names({ country: 'us' })).toEqual(['country', 'card', 'zip'])
  expect(names({ country: 'us', card: '1' })).toEqual(['country', 'card', 'cvc', 'zip', 'holder'])
  expect(objectFields(planner, node, { strange: 1 }).extras).toEqual([
    { name: 'strange', schema: true, known: true },
  ])
})

// biome-ignore-end lint/suspicious/noThenProperty: the JSON Schema keyword
test('form planner: plans recursive schemas and exponential unions in less than half a second', () => {
  const root: JsonSchema = {
    $defs: {
      A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } }, required: ['b'] },
      B: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }, { allOf: [{ $ref: '#/$defs/B' }] }] },
    },
    $ref: '#/$defs/A',
  }
  expect(plan(root).kind).toBe('object')
  let wide: JsonSchema = { type: 'string' }
  for (let level = 0; level < 40; level++)
    wide = { anyOf: [wide, { allOf: [wide] }, { type: 'object', properties: { x: wide } }] }
  const started = process.cpuUsage()
  expect(plan(wide).kind).toBe('union')
  expect(plan({ $ref: '#' }).kind).toBe('any')
  expect(plan({ anyOf: [{ $ref: '#' }] }).kind).toBe('any')
  expect(plan({ oneOf: [{ $ref: '#' }, { type: 'null' }] })).toMatchObject({ kind: 'any', nullable: true })
  expect(plan({ allOf: Array.from({ length: 5000 }, () => ({ allOf: [{}, {}] })) }).notices).toHaveLength(1)
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(500)
})

test('form planner: finds the branch that fits a value best, by fixed keys, types and formats', () => {
  const schema: JsonSchema = {
    anyOf: [
      { type: 'object', properties: { t: { const: 'a' }, x: {} }, required: ['t'] },
      { type: 'object', properties: { t: { const: 'b' }, x: {} }, required: ['t'] },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'integer' } },
      { type: 'string', format: 'date' },
      { type: 'string', format: 'uri' },
    ],
  }
  const planner = getFormPlanner(schema)
  const node = planner.plan(schema)
  const branches = node.kind === 'union' ? node.branches : []
  const best = (value: Json) => bestBranch(planner, branches, value)
  expect([{ t: 'b', x: 1 }, { t: 'a' }, ['x'], [1], '2026-11-21', 'https://x'].map(best)).toEqual([
    1, 0, 2, 3, 4, 5,
  ])
})
