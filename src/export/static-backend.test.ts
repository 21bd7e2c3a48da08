import { describe, expect, it } from 'vitest'
import type { ToolDetail } from '../../core/api/catalog.ts'
import type { SiteCatalog } from '../../core/api/site.ts'
import { catalogPart, detailParts } from '../../core/api/site-parts.ts'
import { cutRowPage } from '../../core/catalog/catalog-page.ts'
import { rowsQuery } from '../../core/catalog/rows.ts'
import { createSearchIndex } from '../../core/catalog/search-index.ts'
import { countWarnings } from '../../core/lint/lint-tools.ts'
import { finish } from '../../core/slices.ts'
import { localBackend } from '../api/local-backend.ts'
import { staticCatalog } from './static-backend.ts'

const resource: ToolDetail = {
  ref: 's/resources/file:///notes.md',
  source: 's',
  index: 300,
  kind: 'resource',
  uri: 'file:///notes.md',
  mimeType: 'text/markdown',
  name: 'Team notes',
  callable: true,
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  schemaHash: 'h',
}
const tools: ToolDetail[] = Array.from({ length: 300 }, (_, at) => ({
  ref: `s/area${at % 7} tool_${at}`,
  source: 's',
  index: at,
  name: `area${at % 7} tool_${at}`,
  description: `Reads page ${at}`,
  callable: true,
  inputSchema: {
    type: 'object',
    properties: { account: {}, [`field_${at}`]: { properties: { inner: {} } } },
  },
  ...(at % 2 === 0 ? { outputSchema: { type: 'object' } } : {}),
  annotations: { readOnlyHint: at % 3 === 0 },
  schemaHash: 'h',
}))
const entries = [...tools, resource]
const { parts, chunkStarts } = detailParts(entries)
const rest = { version: '1', folder: 'data/x', chunkStarts, comparable: false }
const catalog = JSON.parse(catalogPart([], entries, rest).json) as SiteCatalog
const loads: string[] = []
const handlers = staticCatalog(catalog, async <Part>(name: string) => {
  loads.push(name)
  const part = parts.find(each => each.name === name)
  if (!part) throw new Error(name)
  return JSON.parse(part.json) as Part
})
const backend = localBackend(handlers)
const readTool = (ref: string) => backend.request('GET /api/tools/{+ref}', { params: { ref } })

describe('export backend', () => {
  it.each([
    ['', []],
    ['tool_29', []],
    ['field_123', []],
    ['inner page 7', []],
    ['tol_29', []],
    ['', ['typed-output']],
    ['area3', ['read-only', 'typed-output']],
    ['notes.md', []],
  ] as const)('finds the same rows as the live catalog for "%s" %j', async (q, filters) => {
    const index = createSearchIndex(entries, ['s'])
    const live = finish(
      cutRowPage(index, rowsQuery.parse({ q, filter: filters.join(','), limit: 50 }), countWarnings),
    )
    const query = { q, filter: filters, source: [], collapsed: '[]', offset: 0, limit: 50 }
    expect(await backend.request('GET /api/rows', { query })).toEqual(live)
  })

  it('loads the details of a tool, and each part once', async () => {
    expect(await readTool('s/area0 tool_217')).toEqual(tools[217])
    expect(await readTool('s/area1 tool_218')).toEqual(tools[218])
    expect(loads).toEqual(['tools-2'])
  })

  it('lists a resource as a resource, not as a tool', async () => {
    expect(await readTool(resource.ref)).toEqual(resource)
    const query = { q: 'notes.md' }
    const found = (surface: '0' | '1') => backend.request('GET /api/tools', { query: { ...query, surface } })
    expect((await found('0')).tools).toEqual([])
    expect((await found('1')).tools).toMatchObject([{ kind: 'resource', ref: resource.ref }])
  })

  it('rejects a tool that does not exist with tool-not-found', async () => {
    await expect(readTool('s/nothing')).rejects.toMatchObject({ code: 'tool-not-found' })
  })

  it('has the contract scores of the export, and no endpoint for them without any', async () => {
    const score = { total: 80, parts: { staysAlive: 1 }, calls: 3 }
    const scores = { tools: [], sources: [{ source: 's', score }] }
    const exported = JSON.parse(catalogPart([], entries, { ...rest, scores }).json) as SiteCatalog
    const scored = localBackend(staticCatalog(exported, async () => Promise.reject(new Error('no part'))))
    expect(await scored.request('GET /api/generated-checks/scores', {})).toEqual(scores)
    expect(backend.has('GET /api/generated-checks/scores')).toBe(false)
  })

  it('has no handler that calls, opens or changes anything', () => {
    expect(Object.keys(handlers).sort()).toEqual([
      'GET /api/rows',
      'GET /api/sources',
      'GET /api/tools',
      'GET /api/tools/{+ref}',
    ])
  })
})
