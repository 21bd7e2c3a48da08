import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mcpSource } from '../recognise/detect-source.ts'
import { readMcpJson } from '../recognise/mcp-json.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'
import { configSources } from './config-sources.ts'
import { watchSources } from './watch-files.ts'

/** An MCP server over stdio that lists one tool and notes each of its starts. */
const server = (tool: string, starts: string, startMs = 0) => `
require('node:fs').appendFileSync(${JSON.stringify(starts)}, '${tool} ')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${startMs})
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: '${tool}', inputSchema: { type: 'object' } }] },
  }
  if (id === undefined) return
  const known = results[method]
  const answer = known ? { result: known } : { error: { code: -32601, message: 'unknown' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
})`

let folder: string
let catalog: Catalog
const path = (name: string) => join(folder, name)
const started = () => {
  try {
    return readFileSync(path('starts'), 'utf8').trim().split(' ')
  } catch {
    return []
  }
}
const writeServer = (file: string, tool: string, startMs?: number) =>
  writeFileSync(path(file), server(tool, path('starts'), startMs))
const writeConfig = (servers: Record<string, string>) => {
  const entries = Object.entries(servers).map(([name, file]) => [
    name,
    { command: process.execPath, args: file.split(' ').map(path) },
  ])
  writeFileSync(path('mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
}
const read = () => readMcpJson(path('mcp.json'))?.map(server => mcpSource(server)) ?? []
const follow = (opens: boolean) =>
  configSources(catalog.sources, { paths: [path('mcp.json')], read, opens }, read())
const states = () =>
  catalog.sources.list().map(({ name, status, toolCount }) => `${name} ${status} ${toolCount}`)

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-config-')))
  catalog = new Catalog({ ...testContext, directory: folder })
  writeServer('one.cjs', 'one')
  writeServer('two.cjs', 'two')
  writeConfig({ a: 'one.cjs' })
})
afterEach(async () => {
  await catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('configSources', () => {
  test('opens, renews and removes the sources of a file that the user named', async () => {
    const { opened, update } = follow(true)
    await opened
    expect(states()).toEqual(['a ready 1'])
    await update()
    expect(started()).toEqual(['one'])
    writeConfig({ a: 'two.cjs', b: 'one.cjs' })
    await update()
    expect(states()).toEqual(['a ready 1', 'b ready 1'])
    expect(catalog.tools.list().map(tool => tool.ref)).toEqual(['a/two', 'b/one'])
    writeConfig({ b: 'one.cjs' })
    await update()
    expect(states()).toEqual(['b ready 1'])
    expect(() => catalog.callTarget('a/two')).toThrow()
  })

  test('starts nothing by itself from a file that the user did not name, even after a change of a running source', async () => {
    const { opened, update } = follow(false)
    await opened
    expect(states()).toEqual(['a stopped 0'])
    await catalog.sources.restart('a')
    expect(states()).toEqual(['a ready 1'])
    writeConfig({ a: 'two.cjs', b: 'two.cjs' })
    await update()
    expect(states()).toEqual(['a stopped 0', 'b stopped 0'])
    expect(started()).toEqual(['one'])
    await catalog.sources.restart('a')
    expect(catalog.tools.list().map(tool => tool.ref)).toEqual(['a/two'])
  })

  test('keeps the sources when the file cannot be read', async () => {
    const { opened, update } = follow(true)
    await opened
    writeFileSync(path('mcp.json'), '{"mcpServers": {')
    await expect(update()).rejects.toMatchObject({ code: 'config-invalid' })
    expect(states()).toEqual(['a ready 1'])
  })
})

test('source watch: restarts an MCP server whose program changed, and keeps its list while it is broken', async () => {
  const { opened } = follow(true)
  await opened
  const stop = watchSources(catalog.sources, line => {
    throw new Error(line)
  })
  const become = (wanted: string[]) => expect.poll(states).toEqual(wanted)
  writeServer('one.cjs', 'other')
  await expect.poll(() => catalog.tools.list().map(tool => tool.ref)).toEqual(['a/other'])
  writeFileSync(path('one.cjs'), 'this is no program')
  await become(['a degraded 1'])
  writeServer('one.cjs', 'mended')
  await expect.poll(() => catalog.tools.list().map(tool => tool.ref)).toEqual(['a/mended'])
  await become(['a ready 1'])
  await stop()
})

test('source watch: restarts an MCP server once more when its program is saved again while it starts', async () => {
  const { opened } = follow(true)
  await opened
  const stop = watchSources(catalog.sources, () => {})
  const wait = { interval: 20 }
  writeServer('one.cjs', 'second', 1_500)
  await expect.poll(started, wait).toEqual(['one', 'second'])
  writeServer('one.cjs', 'third', 1_500)
  await expect.poll(() => catalog.tools.list().map(tool => tool.ref), wait).toEqual(['a/third'])
  await stop()
})

test('source watch: restarts an MCP server that writes a watched file at each start less and less often', async () => {
  writeFileSync(path('starts'), '')
  writeConfig({ a: 'one.cjs starts' })
  const { opened } = follow(true)
  await opened
  const stop = watchSources(catalog.sources, () => {})
  const before = performance.now()
  writeServer('one.cjs', 'two')
  await expect.poll(() => started().length, { interval: 20 }).toBe(5)
  expect(performance.now() - before).toBeGreaterThan(2_500)
  await stop()
})
