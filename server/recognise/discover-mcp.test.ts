import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { finish } from '../../core/slices.ts'
import { Catalog } from '../catalog/catalog.ts'
import { resolveInRepository, testContext } from '../sources/testkit.ts'
import { detectSources } from './detect-source.ts'
import { discoverMcpServers } from './discover-mcp.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-discover-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('discoverMcpServers: lists the servers of known files and starts none of them', async () => {
  const proof = join(folder, 'started')
  const server = {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`],
  }
  mkdirSync(join(folder, '.vscode'))
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { one: server, both: server } }))
  writeFileSync(
    join(folder, '.vscode/mcp.json'),
    `{"servers": {"both": {"url": "http://x/mcp"}, "two": {"url": "http://y"}}} // VS Code`,
  )
  writeFileSync(join(folder, 'mcp.json'), '{"mcpServers": {')
  const specs = finish(discoverMcpServers(folder))
  const catalog = new Catalog(testContext)
  await Promise.all(specs.map(spec => catalog.sources.add(spec)))
  expect(catalog.sources.list().map(({ name, status }) => [name, status])).toEqual([
    ['one', 'stopped'],
    ['both', 'stopped'],
    ['two', 'stopped'],
  ])
  expect(() => rmSync(proof)).toThrow()
  await catalog.close()
})

it('detectSources: accepts a server called __proto__', async () => {
  const file = join(folder, 'hostile.json')
  const server = {
    command: process.execPath,
    args: [resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')],
  }
  writeFileSync(
    file,
    `{"mcpServers": {"__proto__": ${JSON.stringify(server)}, "good": ${JSON.stringify(server)}}}`,
  )
  const catalog = new Catalog(testContext)
  const specs = await detectSources(file, testContext)
  await Promise.all(specs.map(spec => catalog.sources.add(spec)))
  expect(catalog.sources.list().map(({ name, status }) => [name, status])).toEqual([
    ['__proto__', 'ready'],
    ['good', 'ready'],
  ])
  const names = (source: string) => catalog.tools.ofSource(source).map(tool => tool.name)
  expect(names('__proto__')).toEqual(names('good'))
  expect(catalog.tools.ofSource('__proto__')[0]?.ref).toMatch(/^__proto__\//)
  await catalog.close()
})
