import { expect, test } from 'vitest'
import { cutRowPage, cutToolPage } from '../../core/catalog/catalog-page.ts'
import { lockText, parseLock } from '../../core/manifest/version-files.ts'
import { finish } from '../../core/slices.ts'
import type { Surface } from '../../core/tool/tool.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import { ToolIndex } from './tool-index.ts'

const surface: Surface = {
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }] }],
  resources: [{ uri: 'file:///notes.md', name: 'Team notes', mimeType: 'text/markdown' }],
  resourceTemplates: [{ uriTemplate: 'db://{table}{?limit}', name: 'rows' }],
}
const tools = [
  { name: 'greet', inputSchema: true },
  { name: 'prompts/greet', inputSchema: true },
]

function indexOf(given: Surface) {
  const index = new ToolIndex()
  index.set('s', tools, { session: { call: true } }, given)
  return index
}

const query = { q: '', source: [], filter: [], limit: 100 }

test('surface index: finds prompts, resources and templates, but does not list them as tools', () => {
  const index = indexOf(surface)
  // The reference of a tool stays what it is without them.
  expect(index.list().map(({ ref }) => ref)).toEqual(['s/greet', 's/prompts/greet'])
  expect(index.surfaceOf('s').map(({ ref, kind }) => [kind, ref])).toEqual([
    ['prompt', 's/prompts/greet~2'],
    ['resource', 's/resources/file:///notes.md'],
    ['template', 's/templates/db://{table}{?limit}'],
  ])
  expect(index.countOf('s')).toEqual({ shown: 2, hidden: 0 })
  expect(index.find('greet').kind).toBeUndefined()
  expect(index.find('prompts/greet~2').kind).toBe('prompt')
  expect(index.detail('s/prompts/greet~2')).toMatchObject({
    kind: 'prompt',
    inputSchema: {
      properties: { who: { type: 'string' }, how: { type: 'string' } },
      required: ['who'],
      additionalProperties: false,
    },
  })
  expect(index.get('s/templates/db://{table}{?limit}').inputSchema).toMatchObject({ required: ['table'] })
  const rows = finish(cutRowPage(index.browse(), { ...query, collapsed: [], offset: 0 }, () => 0)).rows
  expect(
    rows.map(row => (row.kind === 'tool' ? row.label : row.kind === 'source' ? row.source : row.label)),
  ).toEqual([
    's',
    'greet',
    'prompts/greet',
    'Prompts',
    'greet',
    'Resources',
    'Team notes',
    'Resource templates',
    'rows',
  ])
  const found = (q: string) => cutToolPage(index.browse(), { ...query, q, surface: true }).tools
  expect(found('notes.md')).toMatchObject([{ kind: 'resource', name: 'Team notes' }])
  expect(found('limit')).toMatchObject([{ kind: 'template' }])
  expect(cutToolPage(index.search(), { ...query, q: 'team', surface: false }).tools).toEqual([])
})

test('surface index: keeps one index and the old manifest hash for a source without a surface', async () => {
  const index = indexOf({})
  expect(index.browse()).toBe(index.search())
  const manifest = { tools: [{ name: 'greet', inputSchema: { type: 'object' } }], format: 'MCP tools/list' }
  const { hash, factsHash } = await hashManifest({ ...manifest, problems: [], instructions: 'Be kind.' })
  expect({ hash, factsHash }).toEqual({
    hash: '450593f75614ad3dc18ea84f91842995ed0cdbf7af7dbf84820d162f50545590',
    factsHash: '798669e7876a6e29d70005edc9e498fdb3d0fd40bf3d1b15a8e14ca4f88465b2',
  })
})

test('surface index: a version and a lock file contain the surface in one order', async () => {
  const manifest = { tools, format: 'MCP tools/list', problems: [], ...surface }
  const capabilities = { prompts: {} }
  const before = await hashManifest(manifest)
  const after = await hashManifest({ ...manifest, capabilities })
  expect(after.hash).not.toBe(before.hash)
  expect(after.manifest).toMatchObject({ ...surface, capabilities })
  const two = [...(surface.prompts ?? []), { name: 'bye' }]
  const text = lockText(new Map([['s', { ...after.manifest, prompts: two }]]))
  expect(lockText(new Map([['s', { ...after.manifest, prompts: two.toReversed() }]]))).toBe(text)
  const read = parseLock(text, 'lock').get('s')
  expect(read?.prompts?.map(({ name }) => name)).toEqual(['bye', 'greet'])
  expect(read).toMatchObject({ resources: surface.resources, capabilities })
})
