import { expect, test } from 'vitest'
import { detectDialect } from './dialect.ts'
import type { SchemaObject } from './schema.ts'
import { resolveRef } from './schema-document.ts'

const root = {
  $id: 'https://example.com/root',
  $defs: {
    'a/b': { type: 'string' },
    Node: { $anchor: 'node', type: 'object' },
    list: { $id: 'list.json', items: {} },
  },
  definitions: { 'x y': { type: 'null' } },
}

test('resolveRef: follows pointers, anchors and own ids to schemas', () => {
  expect(resolveRef(root, '#')).toBe(root)
  expect(resolveRef(root, '#/$defs/a~1b')).toBe(root.$defs['a/b'])
  expect(resolveRef(root, '#/definitions/x%20y')).toBe(root.definitions['x y'])
  expect(resolveRef(root, '#node')).toBe(root.$defs.Node)
  expect(resolveRef(root, 'https://example.com/root#/$defs/Node')).toBe(root.$defs.Node)
  expect(resolveRef(root, 'list.json#/items')).toBe(root.$defs.list.items)
})

test('resolveRef: finds an old id, an anchor outside $defs and a key that looks percent-encoded', () => {
  const old = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    definitions: { a: { id: '#first' }, 'List%3Cint%3E': { type: 'array' } },
  }
  expect(resolveRef(old, '#first')).toBe(old.definitions.a)
  expect(resolveRef(old, '#/definitions/List%3Cint%3E')).toBe(old.definitions['List%3Cint%3E'])
  const nested = { properties: { a: { $anchor: 'inner' } } }
  expect(resolveRef(nested, '#inner')).toBe(nested.properties.a)
})

test('resolveRef: finds an anchor 50,000 levels deep', () => {
  let schema: SchemaObject = { $anchor: 'deep' }
  const deep = schema
  for (let depth = 0; depth < 50_000; depth++) schema = { items: schema }
  expect(resolveRef(schema, '#deep')).toBe(deep)
})

test('resolveRef: gives undefined for a reference without a target', () => {
  for (const ref of [
    '#/nowhere',
    '#/constructor',
    '#/__proto__',
    'https://elsewhere/x',
    '#/$id',
    '#/%E0%A4%A',
  ])
    expect(resolveRef(root, ref)).toBeUndefined()
  expect(resolveRef(true, '#/a')).toBeUndefined()
})

test('detectDialect: takes the dialect from $schema, or else from the keywords', () => {
  expect(detectDialect({ $schema: 'http://json-schema.org/draft-07/schema#' })).toBe('draft-07')
  expect(detectDialect({ $schema: 'http://json-schema.org/draft-04/schema#' })).toBe('draft-04')
  expect(detectDialect({ $schema: 'https://json-schema.org/draft/2019-09/schema' })).toBe('2019-09')
  expect(detectDialect({ type: 'object' })).toBe('2020-12')
  expect(detectDialect({ properties: { pair: { items: [{}, {}] } } })).toBe('draft-07')
  expect(detectDialect(true)).toBe('2020-12')
})
