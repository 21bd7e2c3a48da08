/** The tools behind a server's own tools, as the rest of the program has them. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { confirmReason } from '../../core/tool/confirm-reason.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { History } from '../history/history.ts'
import { bridgeTools } from '../http/bridge-app.ts'
import { Emitter } from '../process/events.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { mcpFactory } from '../serve-mcp/mcp-factory.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import { resolveInRepository, testContext } from '../sources/testkit.ts'
import { listInvocations } from '../store/invocation-list.ts'
import { sqlite, type TestDatabase } from '../store/testkit.ts'
import { snapshotsOfCalls } from '../versions/describe-snapshot.ts'
import { startValidator } from '../workers/validator.ts'

const command = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-hidden.mjs')]
const validator = startValidator()
const catalog = new Catalog(testContext)
let database: TestDatabase

beforeAll(async () => {
  database = await sqlite.create()
  await catalog.sources.open(configuredSource({ mcp: { command } }, { name: 'notes' }, {}))
})
afterAll(async () => {
  await catalog.close()
  await validator.close()
  await database.remove()
})

test('catalog: finds, validates and records a tool behind the own tools of a server', async () => {
  expect(catalog.tools.list().map(({ ref }) => ref)).toEqual([
    'notes/read_note',
    'notes/write_note',
    'notes/refuse',
  ])
  expect(catalog.tools.get('notes/write_note')?.annotations).toEqual({ destructiveHint: true })
  expect(catalog.sources.list()).toMatchObject([{ foundBy: 'search_tools', toolCount: 3, problems: [] }])
  const { signal } = new AbortController()
  const store = await database.open()
  const history = new History(store)
  const versions = snapshotsOfCalls(catalog.sources, store, { environment: process.env, signal })
  const call = createCaller({ tools: catalog, validator, pins: null, record: { history, versions } })
  const input = { text: '{"id":7}', value: { id: 7 } }
  const events: CallEvent[] = []
  for await (const event of call({ ref: 'notes/read_note', input, origin: 'page', signal }))
    events.push(event)
  expect(events.find(event => event.type === 'input-validation')).toMatchObject({
    validation: { verdict: 'invalid', issues: [{ path: '/id' }] },
  })
  await history.close()
  const { invocations } = await listInvocations(store, {}, { limit: 5 })
  expect(invocations).toMatchObject([{ ref: 'notes/read_note' }])
})

test('catalog: settings list the own tools, without another source', async () => {
  await catalog.sources.setCallSettings('notes', { ownTools: 'only' })
  expect(catalog.tools.list()).toHaveLength(4)
  await catalog.sources.setCallSettings('notes', {})
  expect(catalog.tools.list()).toHaveLength(3)
})

test('confirm rules: one for the tool that calls others applies to them, before one that skips them', async () => {
  const rules = { LLM_MCP_NEED_CONFIRM: 'call_write_tool', LLM_MCP_SKIP_CONFIRM: 'write_note|call_read_tool' }
  const ruled = new Catalog({ ...testContext, environment: { ...process.env, ...rules } })
  onTestFinished(() => ruled.close())
  await ruled.sources.open(configuredSource({ mcp: { command } }, { name: 'notes' }, {}))
  const reasons = ruled.tools
    .list()
    .map(({ name }) => [name, confirmReason(ruled.tools.get(`notes/${name}`))])
  expect(reasons).toEqual([
    ['read_note', undefined],
    ['write_note', 'rule'],
    ['refuse', 'rule'],
  ])
})

test('MCP server: serves the tools behind the own tools of another server', async () => {
  const call = createCaller({ tools: catalog, validator, pins: null })
  const notifications = new Emitter<SourceNotification>()
  const selection = { agents: 'all', agentToolsOnly: false } as const
  const served = {
    catalog,
    call,
    timeoutMs: 60_000,
    opened: Promise.resolve(),
    notifications,
    variables: {},
    selection,
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([
    mcpFactory({ ...served, pins: null, allowDestructive: true })
      .build('legacy')
      .connect(theirs),
    client.connect(ours),
  ])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['read_note', 'write_note', 'refuse'])
  const written = await client.callTool({ name: 'write_note', arguments: { id: 'a', text: 'b' } })
  expect(written).toMatchObject({ content: [{ type: 'text', text: '["a"]' }] })
  const read = await client.callTool({ name: 'read_note', arguments: { id: 'a' } })
  expect(read).toMatchObject({ structuredContent: { text: 'b' } })
  await client.close()
})

test('bridge: serves the tools behind the own tools of a server', () => {
  const { list } = bridgeTools(catalog, new Set())()
  expect(list.map(({ name }) => name)).toEqual(['notes_read_note', 'notes_write_note', 'notes_refuse'])
})
