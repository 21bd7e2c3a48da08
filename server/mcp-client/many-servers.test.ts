/** Several servers open at once: one is killed while it runs a call, and the others do not notice. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRunning, limitNow, until } from '../../scripts/test-processes.ts'
import { Catalog } from '../catalog/catalog.ts'
import { detectSources } from '../recognise/detect-source.ts'
import { callAndWait, resolveInRepository, testContext } from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'

const node = process.execPath
const fixture = (name: string) => resolveInRepository(`server/sources/fixtures/${name}.mjs`)
const published = (name: string) =>
  resolveInRepository(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-many-'))
/** In two parts, so that nobody takes it for a template of ours. */
const unset = `$${'{env:NOT_SET_ANYWHERE}'}`
/** So that the one to kill can be found among the processes. */
const mark = `--mark-${process.pid}`

let catalog: Catalog

beforeAll(async () => {
  const path = join(folder, 'mcp.json')
  // With a comment and a comma too many, as people write them.
  writeFileSync(
    path,
    `{ // servers
    "mcpServers": ${JSON.stringify({
      old: { command: node, args: [fixture('mcp-quirks-old'), mark] },
      new: { command: node, args: [fixture('mcp-quirks-new')] },
      memory: {
        command: node,
        args: [published('server-memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'm.json') },
      },
      everything: { command: node, args: [published('server-everything'), 'stdio'] },
      broken: { command: node, args: ['-e', 'console.error("no database"); process.exit(4)'] },
      variable: { command: node, args: [fixture('mcp-raw'), unset] },
      wrong: { comand: 'typo' },
      off: { command: node, args: [fixture('mcp-raw')], disabled: true },
    })},
  }`,
  )
  catalog = new Catalog(testContext)
  const specs = await detectSources(path, testContext)
  await Promise.all(specs.map(spec => catalog.sources.add(spec)))
})
afterAll(async () => {
  await catalog.close()
  rmSync(folder, { recursive: true })
})

const state = (name: string) => catalog.sources.list().find(source => source.name === name)

async function call(ref: string, input: unknown = {}) {
  const { tool, session } = catalog.callTarget(ref)
  return (await callAndWait(session, tool, input)).ending
}

it('mcp.json source: reports the state of each server', () => {
  expect(state('old')).toMatchObject({ status: 'ready', toolCount: 16, protocol: '2025-11-25', hasLog: true })
  expect(state('new')).toMatchObject({
    status: 'ready',
    protocol: '2026-07-28',
    serverInfo: { name: 'quirks-new' },
  })
  expect(state('memory')).toMatchObject({ status: 'ready', toolCount: 9 })
  expect(state('broken')).toMatchObject({ status: 'failed', error: { output: 'no database' } })
  expect(state('variable')?.problems).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('NOT_SET_ANYWHERE') }),
  )
  expect(state('wrong')).toMatchObject({ status: 'failed', error: { code: 'config-invalid' } })
  expect(state('off')).toMatchObject({ status: 'stopped', toolCount: 0 })
})

it(
  'mcp.json source: fails calls of a killed server within two seconds, affects no other server, and restarts it',
  aboutTime,
  async () => {
    const victim = findProcess(mark)
    const hanging = call('old/hang')
    const other = call('everything/trigger-long-running-operation', { duration: 1, steps: 2 })
    await until(() => JSON.stringify(catalog.sources.get('old').logLines()).includes('hang started'))
    const killed = Date.now()
    process.kill(victim, 'SIGKILL')
    expect(await hanging).toMatchObject({
      type: 'failure',
      reason: 'network',
      message: expect.stringContaining('SIGKILL'),
    })
    expect(Date.now() - killed).toBeLessThan(limitNow(2_000))
    expect(state('old')).toMatchObject({ status: 'degraded', toolCount: 16 })
    expect(await call('new/echo', { message: 1 })).toMatchObject({ type: 'result' })
    expect(await other).toMatchObject({ type: 'result' })
    await until(() => state('old')?.status === 'ready')
    expect(await call('old/echo', { message: 2 })).toMatchObject({ type: 'result' })
    expect(isRunning(victim)).toBe(false)
  },
)

it('mcp.json source: starts, stops and gives the log of a server by name', async () => {
  await catalog.sources.restart('off')
  expect(state('off')).toMatchObject({ status: 'ready' })
  const running = findProcess(mark)
  expect(await catalog.sources.stop('old')).toMatchObject({ status: 'stopped', toolCount: 0 })
  expect(isRunning(running)).toBe(false)
  expect(await catalog.sources.restart('old')).toMatchObject({ status: 'ready', toolCount: 16 })
  expect(JSON.stringify(catalog.sources.get('old').logLines())).toContain('quirks server starting')
})

it('mcp.json source: reads the list again when a server reports a change', async () => {
  await call('new/grow')
  await until(() => state('new')?.toolCount === 17)
})

function findProcess(word: string): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return Number.parseInt(rows.find(row => row.includes(word) && !row.includes('ps -eo')) ?? '', 10)
}
