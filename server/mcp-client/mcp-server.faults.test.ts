import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { Catalog } from '../catalog/catalog.ts'
import { detectSource } from '../recognise/detect-source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

test.concurrent.each(['mcp-quirks-old', 'mcp-quirks-new'])(
  'MCP client: opens and calls %s over HTTP that needs six seconds for each answer',
  async file => {
    const path = resolveInRepository(`server/sources/fixtures/${file}.mjs`)
    const child = spawn(process.execPath, [path, '--http', '--late', '6000'])
    started.push(child)
    const port = await new Promise<string>(resolve =>
      child.stdout.on('data', text => resolve(/listening (\d+)/.exec(String(text))?.[1] ?? '')),
    )
    const session = await openSource(`mcp:http://127.0.0.1:${port}/mcp`)
    const echo = await toolNamed(session, 'echo')
    const { ending } = await callAndWait(session, echo, { message: 'late' }, { timeoutMs: 60_000 })
    expect(ending).toMatchObject({ type: 'result' })
    await session.close()
  },
  240_000,
)

test.concurrent('MCP client: fails for an address that never answers, and says how long it waited', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const session = await openSource(`mcp:http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  const begun = performance.now()
  const error = toAppError(await session.manifest(neverAborted()).catch(thrown => thrown))
  const seconds = Math.floor((performance.now() - begun) / 1000)
  expect(error.code).toBe('source-timeout')
  expect(error.detail).toContain(`did not answer within ${seconds} s`)
  server.closeAllConnections()
  server.close()
}, 120_000)

test('MCP client: reads the list about once a second from a server that reports changes all the time', async () => {
  const program = [
    process.execPath,
    resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs'),
    '--news',
  ]
  const catalog = new Catalog(testContext)
  let readings = 0
  catalog.sources.onManifest(() => {
    readings += 1
  })
  const state = await catalog.sources.open(await detectSource(`mcp:${program.join(' ')}`, testContext))
  expect(state.status).toBe('ready')
  const first = readings
  await new Promise(resolve => setTimeout(resolve, 3_500))
  const more = readings - first
  await catalog.sources.stop(state.name)
  expect(more).toBeGreaterThanOrEqual(2)
  expect(more).toBeLessThanOrEqual(5)
})

test('MCP client: says the size, the limit and what to do when a list in one message is too long', async () => {
  const program = [
    process.execPath,
    resolveInRepository('server/sources/fixtures/mcp-raw.mjs'),
    '--long',
    '70',
  ]
  const catalog = new Catalog(testContext)
  const { status, error } = await catalog.sources.open(
    await detectSource(`mcp:${program.join(' ')}`, testContext),
  )
  await catalog.close()
  expect(status).toBe('failed')
  expect(error?.detail).toMatch(/sent a message of 70\.0 MiB, 6\.0 MiB more than the limit of 64 MiB/)
  expect(error?.hint).toMatch(/nextCursor/)
})

test('MCP client: does not wait for the end of an endless message', async () => {
  const program = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-raw.mjs'), '--endless']
  const catalog = new Catalog(testContext)
  const { error } = await catalog.sources.open(await detectSource(`mcp:${program.join(' ')}`, testContext))
  await catalog.close()
  expect(error?.detail).toMatch(/sent a message of more than 256 MiB, beyond the limit of 64 MiB/)
})
