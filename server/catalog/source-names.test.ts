import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sourceName } from '../../core/api/source-entry.ts'
import { finish } from '../../core/slices.ts'
import { discoverMcpServers } from '../recognise/discover-mcp.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'
import { configSources } from './config-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-names-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('source names: a found server whose name no address, reference or database can contain gets another name, and a problem says so', async () => {
  const names = ['.', '..', '\ud800', 'half\udc00', 'dot', 'whole 😀', 'nul\0', '\u001b[31m', 'git:x']
  const file = join(folder, '.mcp.json')
  const write = (written: string[]) =>
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: Object.fromEntries(written.map(name => [name, { command: 'node' }])) }),
    )
  write(names)
  const { sources } = new Catalog({ ...testContext, directory: folder })
  const read = () => finish(discoverMcpServers(folder))
  const { opened, update } = configSources(sources, { paths: [file], read, opens: false }, read())
  await opened
  expect(sources.list().map(({ name, problems }) => [name, problems.length])).toEqual([
    ['dot', 1],
    ['dot-dot', 1],
    ['-', 1],
    ['half-', 1],
    ['dot-2', 0],
    ['whole-😀', 0],
    ['nul-', 1],
    ['-[31m', 1],
    ['git-x', 1],
  ])
  expect(sources.list()[2]?.problems[0]?.message).toContain(String.raw`"\ud800"`)
  for (const { name } of sources.list()) {
    const { pathname } = new URL(`/api/sources/${encodeURIComponent(name)}/stop`, 'http://localhost')
    expect(decodeURIComponent(pathname)).toBe(`/api/sources/${name}/stop`)
  }
  write(names.slice(1))
  await update()
  expect(sources.list().map(({ name }) => name)).not.toContain('dot')
})

test.each(['.', '..', 'half\ud800', 'nul\0', 'a\u001b[2J', 'git:HEAD:a.json'])(
  'source names: %j cannot be chosen',
  name => {
    expect(sourceName.safeParse(name).success).toBe(false)
  },
)
