/** The tree that llm-functions publishes, against the lists that its own build wrote. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintTools } from '../../core/lint/lint-tools.ts'
import { originalsFolder } from '../../scripts/originals.ts'
import { neverAborted } from '../sources/testkit.ts'
import { readAgentSource, readToolSource } from './read-sources.ts'
import { makeTree, openTree } from './testkit.ts'

const original = originalsFolder('llm-functions')
const hasLists = original !== null && existsSync(join(original, 'functions.json'))

/** What the build writes of these declarations. */
const asEntries = (source: ReturnType<typeof readToolSource>, more: object = {}) =>
  (source?.declarations ?? []).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
    ...more,
  }))

/** A copy of the tree in which all tools and agents are chosen, with their lists as `listOf` gives them. */
function builtTree(listOf: (path: string, declared: ReturnType<typeof asEntries>) => unknown): string {
  const root = makeTree({})
  cpSync(original ?? '', root, { recursive: true, dereference: true })
  const tools = readdirSync(join(root, 'tools'))
  const nameOf = (file: string) => file.replace(/\.\w+$/, '')
  const entriesOf = (files: readonly string[]) =>
    files.flatMap(file => asEntries(readToolSource(root, nameOf(file))))
  const write = (path: string, value: unknown) =>
    writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value))
  write('tools.txt', tools.join('\n'))
  write('agents.txt', readdirSync(join(root, 'agents')).join('\n'))
  write('functions.json', listOf('functions.json', entriesOf(tools)))
  for (const agent of readdirSync(join(root, 'agents'))) {
    const path = `agents/${agent}/functions.json`
    const chosen = join(root, `agents/${agent}/tools.txt`)
    const shared = existsSync(chosen) ? readFileSync(chosen, 'utf8').split('\n').filter(Boolean) : []
    const own = asEntries(readAgentSource(root, agent), { agent: true })
    write(path, listOf(path, [...own, ...entriesOf(shared.filter(file => tools.includes(file)))]))
  }
  return root
}

test.skipIf(!hasLists)(
  'stock tree of llm-functions: its declarations equal the lists that the build wrote',
  () => {
    builtTree((path, declared) => {
      const written: { name: string }[] = JSON.parse(readFileSync(join(original ?? '', path), 'utf8'))
      // Not every tool of the folder has to be chosen for the build.
      const list = written.map(entry => declared.find(({ name }) => name === entry.name))
      expect({ path, list }).toEqual({ path, list: written })
      return written
    })
  },
)

test.skipIf(original === null)('stock tree of llm-functions: has no tool that a client refuses', async () => {
  const session = await openTree(builtTree((_path, declared) => declared))
  const { tools } = await session.manifest(neverAborted())
  const catalog = tools.map((tool, index) => ({
    ...tool,
    ref: tool.name,
    source: 'tree',
    index,
    callable: true,
  }))
  expect(
    lintTools(catalog, ['openai', 'anthropic', 'gemini', 'aichat', 'mcp']).filter(
      ({ severity }) => severity === 'error',
    ),
  ).toEqual([])
})

test.skipIf(original === null)(
  'stock tree of llm-functions: has no tool that differs from its source when freshly built',
  async () => {
    const session = await openTree(builtTree((_path, declared) => declared))
    const { tools, problems } = await session.manifest(neverAborted())
    expect(tools.length).toBeGreaterThan(30)
    expect(tools.filter(tool => tool.extra?.stale !== undefined)).toEqual([])
    expect(problems.filter(({ message }) => /disagree|refuses|finds no tool/.test(message))).toEqual([])
  },
)
