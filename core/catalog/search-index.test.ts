import { expect, test, vi } from 'vitest'
import type { ManifestTool } from '../tool/tool.ts'
import { makeTools } from './make-tools.testkit.ts'
import type { ToolFilter } from './rows.ts'
import { createSearchIndex } from './search-index.ts'

const everywhere = { sources: [], filters: [] }

function names(
  entries: readonly (string | Partial<ManifestTool>)[],
  query: string,
  filters: ToolFilter[] = [],
) {
  const tools = makeTools('acme', entries)
  const { order } = createSearchIndex(tools).search(query, { sources: [], filters })
  return order.map(at => tools[at]?.name)
}

const properties = (...keys: string[]) => ({ properties: Object.fromEntries(keys.map(key => [key, {}])) })

test('search index: ranks words of the name over title, description, parts of words and field names', () => {
  const entries = [
    { name: 'd', inputSchema: properties('build') },
    { name: 'c', description: 'Starts a build' },
    { name: 'b', title: 'Build it' },
    { name: 'rebuild' },
    { name: 'build log' },
    { name: 'api build' },
    { name: 'build' },
    { name: 'unrelated' },
  ]
  expect(names(entries, 'BUILD')).toEqual(['build', 'api build', 'build log', 'b', 'c', 'rebuild', 'd'])
})

test('search index: finds tools with every word of the query, in any order and in any field', () => {
  const entries = ['users get', { name: 'users list', description: 'Get all' }, 'users drop']
  expect(names(entries, ' get  users ')).toEqual(['users get', 'users list'])
})

test('search index: forgives a typo only if nothing matches the query as typed', () => {
  expect(names(['deploy', 'deplay'], 'deploy')).toEqual(['deploy'])
  expect(names(['api deploy', 'ops logs'], 'deplyo')).toEqual(['api deploy'])
  expect(names(['getUserName'], 'uesr')).toEqual(['getUserName'])
  expect(names([{ name: 'x', description: 'Undo the release' }], 'relaese')).toEqual(['x'])
  expect(names([{ name: 'x', inputSchema: properties('environment') }], 'enviroment')).toEqual(['x'])
  expect(names(['api deploy'], 'delpyo')).toEqual([])
  expect(names(['get_user'], 'get-user')).toEqual(['get_user'])
})

const files: readonly Partial<ManifestTool>[] = [
  { name: 'read_text_file', description: 'Read the complete contents of a file as text. Reads one file.' },
  { name: 'read_file_lines', description: 'Lines' },
  { name: 'read-file-info', description: 'Size' },
  { name: 'read_file', description: 'Deprecated' },
  { name: 'api read-file', description: 'Deprecated' },
  { name: 'trigger-long-running-operation' },
]

test.each(['read_file', 'READ-FILE', 'read file', 'readfile', 'readFile'])(
  'search index: the query "%s" finds the tools with that name first, then names that begin with it',
  query => {
    const found = names(files, query)
    expect(found.slice(0, 2)).toEqual(['read_file', 'api read-file'])
    expect(found.slice(2, 4).sort()).toEqual(['read-file-info', 'read_file_lines'])
    expect(found[4]).toBe('read_text_file')
  },
)

test('search index: finds a name while it is typed, and by words that are run together', () => {
  expect(names(['readTextFile', 'readFile'], 'read_file')[0]).toBe('readFile')
  expect(names(files, 'read_fi')[0]).toBe('read_file')
  expect(names(files, 'readtextfi')[0]).toBe('read_text_file')
  expect(names(files, 'longrunning')).toEqual(['trigger-long-running-operation'])
  expect(names(files, 'longrunn')).toEqual(['trigger-long-running-operation'])
  expect(names(['readable', 'file_list'], 'readfile')).toEqual([])
  const index = createSearchIndex(makeTools('acme', files))
  expect(index.search('longrunning', everywhere).partOf('running')).toBe('running')
})

test('search index: ranks a word of a name over a name that only begins with these letters', () => {
  expect(names(['summarize', 'get-sum'], 'sum')).toEqual(['get-sum', 'summarize'])
})

test('search index: ranks a synonym after the word itself, and drops it if it is far behind', () => {
  const entries = [
    { name: 'remove_user' },
    { name: 'delete_user' },
    { name: 'x', inputSchema: properties('remove') },
  ]
  expect(names(entries, 'remove')).toEqual(['remove_user', 'x', 'delete_user'])
  const shop = [
    ...Array.from({ length: 30 }, (_, at) => ({ name: `fetch_item_${at}` })),
    { name: 'report', description: 'Get it as a file' },
  ]
  expect(names(shop, 'get')).toEqual(['report'])
  expect(names(['get-sum', 'get-env'], 'export')).toEqual([])
})

const desk: readonly Partial<ManifestTool>[] = [
  { name: 'write_file', description: 'Create a new file or overwrite it.' },
  { name: 'get-sum', description: 'Returns the sum of two numbers' },
  { name: 'people suspend', description: 'Take away the access of one person' },
  { name: 'delete_user', description: 'Removes the account for good' },
  { name: 'list_issues', title: 'List issues' },
  { name: 'take_screenshot' },
]

test.each([
  ['something which writes a file', 'write_file'],
  ['add two numbers', 'get-sum'],
  ['remove user', 'delete_user'],
  ['revoke access', 'people suspend'],
  ['show me all the issues', 'list_issues'],
  ['take a picture of the page', 'take_screenshot'],
  ['delet a usr', 'delete_user'],
])('search index: the vague request "%s" finds %s first', (request, name) => {
  expect(names(desk, request)[0]).toBe(name)
})

test('search index: says whether any tool has every word, and finds only those whose name has them all', () => {
  const index = createSearchIndex(makeTools('acme', desk))
  expect(index.search('write quarterly file', everywhere)).toMatchObject({ complete: 0, order: [0] })
  expect(names(['greet', 'greet loudly'], 'greet loudly')).toEqual(['greet loudly'])
})

test('search index: prepares in slices, and a search before the end prepares the rest', async () => {
  const tools = makeTools('acme', desk)
  const index = createSearchIndex(tools)
  // However busy the machine is.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
  await expect(index.prepare(async () => false)).resolves.toBe(true)
  clock.mockRestore()
  const many = createSearchIndex(makeTools('acme', Array<string>(20_000).fill('get user by name')))
  await expect(many.prepare(async () => false)).resolves.toBe(false)
  expect(many.search('user', everywhere).complete).toBe(20_000)
})

test('search index: finds nested field names', () => {
  const inputSchema = { properties: { a: { items: { anyOf: [properties('canary')] } } } }
  expect(names([{ name: 'x', inputSchema }, 'y'], 'canary')).toEqual(['x'])
})

test('search index: a query of punctuation alone finds nothing', () => {
  expect(names(['a', 'b'], '!!!')).toEqual([])
})

test('search index: filters by what a tool does add up, other filters narrow', () => {
  const entries = [
    { name: 'a', annotations: { readOnlyHint: true }, outputSchema: {} },
    { name: 'b', annotations: { readOnlyHint: true } },
    { name: 'c', annotations: { destructiveHint: true, readOnlyHint: true } },
  ]
  expect(names(entries, '', ['read-only'])).toEqual(['a', 'b'])
  expect(names(entries, '', ['read-only', 'typed-output'])).toEqual(['a'])
  expect(names(entries, '', ['read-only', 'destructive'])).toEqual(['a', 'b', 'c'])
  expect(names(entries, '', ['destructive'])).toEqual(['c'])
  expect(names(entries, '', ['callable'])).toEqual(['a', 'b', 'c'])
})

test('search index: searches only the given sources, and knows sources without tools', () => {
  const index = createSearchIndex(
    [...makeTools('one', ['get']), ...makeTools('two', ['get'])],
    ['zero', 'two'],
  )
  expect(index.sources).toEqual(['zero', 'two', 'one'])
  expect(index.search('get', { sources: ['two'], filters: [] }).order).toEqual([1])
  expect(index.search('get', { sources: ['zero'], filters: [] }).order).toEqual([])
})

test('search index: answers the same search again from memory', () => {
  const index = createSearchIndex(makeTools('acme', ['get']))
  expect(index.search('get', everywhere)).toBe(index.search(' GET ', everywhere))
  expect(index.search('get', everywhere)).not.toBe(index.search('got', everywhere))
})

test('search index: treats hostile names as ordinary text', () => {
  const hostile = ['__proto__', 'constructor', '<img src=x onerror=alert(1)>', '', '   ', 'a.*(', 'İstanbul']
  for (const name of hostile.filter(text => text.trim() !== ''))
    expect(names(hostile, name), name).toContain(name)
  const polluted = JSON.parse('{"properties":{"__proto__":{"properties":{"toString":{}}}}}')
  expect(names([{ name: 'x', inputSchema: polluted }], 'tostring')).toEqual(['x'])
  expect(
    names([{ name: 'x', inputSchema: { properties: [null, 3], items: 'no', anyOf: 7 } }], 'items'),
  ).toEqual([])
})
