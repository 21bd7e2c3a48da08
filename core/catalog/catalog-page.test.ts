import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { finish } from '../slices.ts'
import type { Tool } from '../tool/tool.ts'
import { cutRowPage, cutToolPage } from './catalog-page.ts'
import { makeTools } from './make-tools.testkit.ts'
import { rowsQuery, summarizeFirstLine, summarizeTool, toolsQuery } from './rows.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'

interface Ask {
  q?: string
  source?: string
  filter?: string
  collapsed?: readonly string[]
  offset?: number
  limit?: number
  find?: string
}
const rows = (index: SearchIndex, { collapsed = [], ...ask }: Ask = {}, countWarnings = (_: Tool) => 0) =>
  finish(
    cutRowPage(
      index,
      rowsQuery.parse({ limit: 1000, ...ask, collapsed: JSON.stringify(collapsed) }),
      countWarnings,
    ),
  )

/** The page as text: one line a row, indented as drawn. */
const drawn = (index: SearchIndex, ask?: Ask) =>
  rows(index, ask).rows.map(row => {
    if (row.kind === 'source')
      return `${row.source} ${row.matched}/${row.total}${row.collapsed ? ' closed' : ''}`
    const indent = '  '.repeat(row.depth + 1)
    if (row.kind === 'group') return `${indent}${row.label}> ${row.matched}${row.collapsed ? ' closed' : ''}`
    return `${indent}${row.label}`
  })

const acme = createSearchIndex(
  [
    ...makeTools('acme', ['api greet', 'status', 'ops logs', 'api', 'api deploy']),
    ...makeTools('b', ['deploy']),
  ],
  ['acme', 'empty', 'b'],
)

test('catalog page: counts the warnings of the tools of its rows, and asks for no other tool', () => {
  const asked: string[] = []
  const page = rows(acme, { offset: 2, limit: 3 }, tool => {
    asked.push(tool.ref)
    return tool.ref === 'acme/status' ? 2 : 0
  })
  const warnings = page.rows.flatMap(row => (row.kind === 'tool' ? [[row.tool.ref, row.warnings]] : []))
  expect(warnings).toContainEqual(['acme/status', 2])
  expect(asked).toEqual(warnings.map(([ref]) => ref))
  expect(warnings.filter(([, count]) => count !== undefined)).toHaveLength(1)
})

test('catalog page: draws sources, groups and tools as a tree', () => {
  expect(drawn(acme)).toEqual([
    'acme 5/5',
    '  api> 2',
    '    greet',
    '    deploy',
    '  status',
    '  ops> 1',
    '    logs',
    '  api',
    'empty 0/0',
    'b 1/1',
    '  deploy',
  ])
})

test('catalog page: gives the row number of a tool, also outside the requested slice', () => {
  expect(rows(acme, { find: 'acme/ops logs', limit: 1 }).foundAt).toBe(6)
  expect(rows(acme, { find: 'b/deploy', q: 'deploy' }).foundAt).toBe(1)
  expect(rows(acme, { find: 'acme/ops logs', q: 'deploy' })).not.toHaveProperty('foundAt')
  expect(rows(acme)).not.toHaveProperty('foundAt')
})

test('catalog page: shows only matches in a search, and the source with the best match first', () => {
  expect(drawn(acme, { q: 'deploy' })).toEqual(['b 1/1', '  deploy', 'acme 1/5', '  api> 1', '    deploy'])
  expect(rows(acme, { q: 'deploy' })).not.toHaveProperty('partial')
  expect(rows(acme, { q: 'deploy quarterly' }).partial).toBe(true)
  expect(drawn(acme, { q: 'nothing like it' })).toEqual([])
  expect(drawn(acme, { filter: 'typed-output' })).toEqual([])
  expect(drawn(acme, { source: 'empty' })).toEqual(['empty 0/0'])
})

test('catalog page: closes collapsed groups and sources, also in a search', () => {
  const api = rows(acme).rows.find(row => row.kind === 'group' && row.label === 'api')?.id ?? ''
  expect(drawn(acme, { collapsed: [api], source: 'acme' })).toEqual([
    'acme 5/5',
    '  api> 2 closed',
    '  status',
    '  ops> 1',
    '    logs',
    '  api',
  ])
  expect(drawn(acme, { collapsed: [api], q: 'deploy', source: 'acme' })).toEqual([
    'acme 1/5',
    '  api> 1 closed',
  ])
  const source = rows(acme).rows[0]?.id ?? ''
  expect(drawn(acme, { collapsed: [source, 'gone'] })[0]).toBe('acme 5/5 closed')
})

test('catalog page: marks the letters that match, also for a query with a typo', () => {
  const index = createSearchIndex(
    makeTools('acme', [{ name: 'api deploy', description: 'Deploy it; a deployment' }]),
  )
  const find = (q: string) => rows(index, { q }).rows.find(row => row.kind === 'tool')
  expect(find('deploy')).toMatchObject({
    labelMatches: [[0, 6]],
    summaryMatches: [
      [0, 6],
      [13, 19],
    ],
  })
  expect(find('deplyo')).toMatchObject({ labelMatches: [[0, 6]] })
})

test('catalog page: a name of 100,000 words makes fewer than 20 rows', () => {
  const index = createSearchIndex(makeTools('x', ['a '.repeat(100_000)]))
  expect(rows(index).rowCount).toBeLessThan(20)
})

const hostileName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor x', '<img src=x onerror=alert(1)>', '', '  ', 'api greet', 'api'),
  fc
    .array(fc.constantFrom('a', 'b', 'ü', 'İ', '😀', '__proto__'), { maxLength: 4 })
    .map(words => words.join(' ')),
)
const catalog = fc
  .array(fc.tuple(fc.constantFrom('one', 'two', '__proto__'), fc.array(hostileName, { maxLength: 12 })), {
    maxLength: 3,
  })
  .map(parts => new Map(parts))
  .map(parts =>
    createSearchIndex(
      [...parts].flatMap(([source, names]) => makeTools(source, names)),
      [...parts.keys()],
    ),
  )
const query = fc.constantFrom('', 'a', 'api', 'b a', 'proto', 'İ', '<img', 'gret', 'constructro')

test('catalog page: pages of rows make up the whole, and each matching tool is in it once', () => {
  fc.assert(
    fc.property(catalog, query, fc.integer({ min: 1, max: 5 }), (index, q, limit) => {
      const whole = rows(index, { q })
      const paged = []
      for (let offset = 0; offset < whole.rowCount; offset += limit)
        paged.push(...rows(index, { q, offset, limit }).rows)
      expect(paged).toEqual(whole.rows)
      const refs = whole.rows.flatMap(row => (row.kind === 'tool' ? row.tool.ref : []))
      expect(new Set(refs).size).toBe(refs.length)
      expect(refs).toHaveLength(whole.matched)
      expect(new Set(whole.rows.map(row => row.id)).size).toBe(whole.rows.length)
      for (const row of whole.rows) {
        if (row.kind !== 'tool') continue
        for (const [text, ranges] of [
          [row.label, row.labelMatches],
          [row.tool.summary ?? '', row.summaryMatches],
        ] as const)
          for (const [start, end] of ranges)
            expect(0 <= start && start < end && end <= text.length).toBe(true)
      }
    }),
  )
})

test('catalog page: pages of tools make up the whole', () => {
  fc.assert(
    fc.property(catalog, query, fc.integer({ min: 1, max: 5 }), (index, q, limit) => {
      const refs: string[] = []
      let cursor: string | undefined
      do {
        const page = cutToolPage(index, toolsQuery.parse({ q, limit, cursor }))
        expect(page.total).toBe(index.tools.length)
        refs.push(...page.tools.map(tool => tool.ref))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(refs).toHaveLength(cutToolPage(index, toolsQuery.parse({ q })).matched)
      expect(new Set(refs).size).toBe(refs.length)
      if (q === '') expect(refs).toEqual(index.tools.map(tool => tool.ref))
    }),
  )
})

test('catalog page: refuses a cursor that it did not make', () => {
  for (const cursor of ['', 'after--1', 'after-zzzzzzzzzzzzzzzz', '12'])
    expect(() => cutToolPage(acme, toolsQuery.parse({ cursor })), cursor).toThrow(AppError)
})

const one = (entry: Parameters<typeof makeTools>[1][number]) =>
  makeTools('acme', [entry]).map(summarizeTool)[0]

test('summarizeTool: takes the first line of the description that is not blank', () => {
  expect(one({ name: 'api greet', description: '\n\n  Greets.  \nSecond line' })).toEqual({
    ref: 'acme/api greet',
    source: 'acme',
    name: 'api greet',
    summary: 'Greets.',
    callable: true,
    hasOutputSchema: false,
  })
  expect(one({ name: 'x', description: ' \n ' })).not.toHaveProperty('summary')
})

test('summarizeTool: takes the title from the annotations if the tool has none', () => {
  expect(one({ name: 'x', annotations: { title: 'From hints' } })?.title).toBe('From hints')
})

test('summarizeTool: counts an output schema that allows everything as an output schema', () => {
  expect(one({ name: 'x', outputSchema: true })?.hasOutputSchema).toBe(true)
})

test('firstLine: removes characters that would disturb the rows around it', () => {
  expect(summarizeFirstLine('safe\u202egnirts\u0000\u001b[31m\ttext')).toBe('safe gnirts [31m text')
})

test('firstLine: gives one line of at most 200 characters, and cuts no character in two', () => {
  expect(summarizeFirstLine('😀'.repeat(500))).toMatch(/^(?:😀)+…$/u)
  expect(summarizeFirstLine(`${'\n'.repeat(1_000_000)}late`)).toBe('late')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 900 }), text => {
      const line = summarizeFirstLine(text)
      expect(line.length).toBeLessThanOrEqual(200)
      expect(line).not.toMatch(/[\r\n]/u)
    }),
  )
})
