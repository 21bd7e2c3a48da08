import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { groupGraph, listSources } from './import-graph.mjs'
import { findFaults, readLayers, toAcyclicFolder, toRoom } from './layers.mjs'
import { project } from './project.mjs'

const tables = `
## core

| room | what |
| --- | --- |
| \`errors.ts\` \`json/\` | below |
| \`diff/\` | above |

## src

| room | what |
| --- | --- |
| \`ui/\` | below |
| \`features/\` | above |

## End
`

function faultsOf(imports: Readonly<Record<string, readonly string[]>>, crossings: readonly string[] = []) {
  const graph = new Map(Object.entries(imports).map(([path, targets]) => [path, new Set(targets)]))
  return findFaults({
    layers: readLayers(tables),
    rooms: groupGraph(graph, toRoom),
    folders: groupGraph(graph, toAcyclicFolder),
    crossings: new Set(crossings),
  })
}

test('layers: imports of the same row and of rows above are allowed', () => {
  expect(faultsOf({ 'core/diff/a.ts': ['core/json/b.ts'], 'core/errors.ts': ['core/json/b.ts'] })).toEqual([])
})

test('layers: an import that points down is a fault, an import of a test is not', () => {
  const imports = { 'core/json/a.ts': ['core/diff/b.ts'], 'core/json/a.test.ts': ['core/diff/b.ts'] }
  expect(faultsOf(imports)).toEqual(['points down: core/json/a.ts → core/diff/b.ts'])
})

test('layers: a room without a row is a fault', () => {
  expect(faultsOf({ 'core/new/a.ts': [] })).toEqual(['docs/architecture.md has no row for core/new'])
})

test('layers: a feature that imports another one is a fault, unless the two are listed', () => {
  const imports = { 'src/features/a/x.ts': ['src/features/b/y.ts', 'src/features/a/z.ts'] }
  expect(faultsOf(imports)).toEqual([
    'one feature imports another: src/features/a/x.ts → src/features/b/y.ts',
  ])
  expect(faultsOf(imports, ['src/features/a → src/features/b'])).toEqual([])
})

test('layers: the tables of docs/architecture.md name the rooms in their order', () => {
  const layers = readLayers(readFileSync(project('docs/architecture.md'), 'utf8'))
  expect([...layers.keys()].filter(room => !room.startsWith('core/')).slice(0, 3)).toEqual([
    'server/process',
    'server/fetch',
    'server/workers',
  ])
  expect(layers.get('core/compat')).toBeGreaterThan(layers.get('core/schema') ?? Number.POSITIVE_INFINITY)
})

test('limits: only server/process/run-with-limit.ts combines signals and time limits', () => {
  const found: string[] = []
  for (const path of listSources(project(), ['core', 'server', 'src'])) {
    const text = readFileSync(project(path), 'utf8')
    if (/\.(?:test|testkit)\.tsx?$/.test(path) || !text.includes('AbortSignal')) continue
    new Visitor({
      MemberExpression({ object, property }) {
        if (object.type !== 'Identifier' || object.name !== 'AbortSignal' || property.type !== 'Identifier')
          return
        if (property.name === 'any' || property.name === 'timeout')
          found.push(`${path}: AbortSignal.${property.name}: use runWithLimit`)
      },
    }).visit(parseSync(path, text).program)
  }
  expect(found).toEqual([])
})
