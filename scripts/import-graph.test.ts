import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findCircles, groupGraph, listSources, readImportGraph } from './import-graph.mjs'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function graphOf(files: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const root = mkdtempSync(join(tmpdir(), 'imports-'))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return readImportGraph(root, listSources(root, ['core', 'server', 'missing']))
}

test.each([
  ['values', "import { b } from './b.ts'\nexport const a = b"],
  ['types', "import type { B } from './b.ts'\nexport type A = B"],
  ['types among values', "import { type B } from './b.ts'\nexport type A = B"],
  ['a side effect', "import './b.ts'"],
  ['a lazy import', "export const a = () => import('./b.ts')"],
  ['the type of a lazy import', "export type A = typeof import('./b.ts')"],
  ['an export from', "export { b } from './b.ts'"],
  ['an export of all', "export * from './b.ts'"],
  ['an import with a query', "import b from './b.ts?worker'\nexport const a = b"],
])('import graph: finds a circle through %s', (_, text) => {
  const graph = graphOf({ 'core/a.ts': text, 'core/b.ts': "import './a.ts'", 'core/c.ts': "import './a.ts'" })
  expect(findCircles(graph)).toEqual([['core/a.ts', 'core/b.ts']])
})

test('import graph: ignores an import in a text or a comment, and imports of packages', () => {
  const graph = graphOf({
    'core/a.ts': "// import './b.ts'\nexport const text = `import './b.ts'`",
    'core/b.tsx': "import './a.ts'\nimport 'a.ts'\nexport const Part = () => <a href=\"./a.ts\">a</a>",
  })
  expect([...(graph.get('core/b.tsx') ?? [])]).toEqual(['core/a.ts'])
  expect(findCircles(graph)).toEqual([])
})

test('import graph: finds circles of folders, with the imports that make them', () => {
  const graph = graphOf({
    'server/store/rows.ts': "import type { Version } from '../versions/version.ts'",
    'server/versions/version.ts': 'export interface Version { readonly id: number }',
    'server/versions/list.ts': "import '../store/query.ts'",
    'server/store/query.ts': '',
    'server/main.ts': "import './versions/list.ts'",
    'server/store/store.test.ts': "import '../main.ts'",
  })
  const folders = groupGraph(graph, (path: string) =>
    path.includes('.test.') ? undefined : path.split('/').slice(0, 2).join('/'),
  )
  expect(findCircles(graph)).toEqual([])
  expect(findCircles(folders)).toEqual([['server/store', 'server/versions']])
  expect(folders.get('server/store')).toEqual(
    new Map([['server/versions', ['server/store/rows.ts → server/versions/version.ts']]]),
  )
})
