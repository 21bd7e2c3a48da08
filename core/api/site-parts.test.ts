import { describe, expect, it } from 'vitest'
import type { ToolDetail } from './catalog.ts'
import { findChunk, partScript, type SiteCatalog } from './site.ts'
import { catalogPart, detailParts } from './site-parts.ts'
import { type SiteVersions, versionParts } from './site-versions.ts'
import type { SourceState } from './sources.ts'
import type { Version } from './versions.ts'

const tool = (name: string, more: Partial<ToolDetail> = {}): ToolDetail => ({
  ref: `s/${name}`,
  source: 's',
  index: 0,
  name,
  callable: true,
  inputSchema: { type: 'object', properties: { [`field_${name}`]: {} } },
  schemaHash: 'h',
  ...more,
})

describe('export parts', () => {
  it('hold each tool once, in chunks that findChunk finds by its position', () => {
    const tools = Array.from({ length: 457 }, (_, at) => tool(String(at)))
    tools[230] = tool('230', { description: 'x'.repeat(900_000) })
    const { parts, chunkStarts } = detailParts(tools)
    const read = parts.map(({ json }) => JSON.parse(json) as ToolDetail[])
    expect(read.flat().map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    for (const [position, { name }] of tools.entries()) {
      const chunk = findChunk(chunkStarts, position)
      expect(read[chunk]?.[position - (chunkStarts[chunk] ?? 0)]?.name).toBe(name)
    }
  })

  it('keep a member called __proto__ and line separators, which a JavaScript literal loses', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":"\\u2028</script>"}}}')
    const [part] = detailParts([tool('a', { inputSchema: schema })]).parts
    const scope: { toolscopeData?: Record<string, string> } = {}
    new Function('globalThis', partScript('p', part?.json ?? ''))(scope)
    const [read] = JSON.parse(scope.toolscopeData?.p ?? '[]') as ToolDetail[]
    expect(JSON.stringify(read?.inputSchema)).toBe(JSON.stringify(schema))
  })

  it('hold only known fields, and nothing about the machine', () => {
    const source: SourceState = {
      name: 's',
      kind: 'llms-program',
      label: 'node secret.mjs --token hunter2',
      status: 'degraded',
      toolCount: 1,
      callable: true,
      problems: [{ message: 'LLM_MCP_NEED_CONFIRM is hunter2' }, { index: 3, message: 'has no name' }],
      error: { code: 'source-failed', title: '', detail: 'hunter2', hint: '' },
      hasLog: true,
    }
    const extra = {
      environment: [{ name: 'KEY', required: true, set: true }],
      confirm: true,
      agent: true,
      new: 'hunter2',
    }
    const tools = [tool('a', { extra })]
    const rest = { version: '1', folder: '', chunkStarts: [0], comparable: false }
    const texts = [catalogPart([source], tools, rest), ...detailParts(tools).parts].map(({ json }) => json)
    expect(texts.join('\n')).not.toContain('hunter2')
    const catalog = JSON.parse(texts[0] ?? '') as SiteCatalog
    expect(catalog.sources[0]?.problems).toEqual([{ index: 3, message: 'has no name' }])
    expect(catalog.tools[0]?.fields).toEqual(['field_a'])
    expect(JSON.parse(texts[1] ?? '')[0].extra).toEqual({ agent: true })
  })

  it('write a tool once if several versions share it', () => {
    const same = { name: 'same', inputSchema: { type: 'object' } }
    const versions = [3, 2, 1].map(number => ({
      version: {
        reference: `s@${number}`,
        name: `s@${number}`,
        time: '',
        kind: 'snapshot',
        number,
        labels: [],
      } as Version,
      manifest: { format: 'f', tools: [same, { name: `only_${number}`, inputSchema: {} }] },
    }))
    const parts = versionParts([{ source: 's', versions }], {})
    const list = JSON.parse(parts.find(({ name }) => name === 'versions')?.json ?? '') as SiteVersions
    expect(list.names).toEqual(['same', 'only_3', 'only_2', 'only_1'])
    expect(list.sources[0]?.versions.map(({ tools }) => tools)).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ])
  })
})
