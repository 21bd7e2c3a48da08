/** The definition that a caller saw before its call: the server chooses which list it shows at which moment. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, vi } from 'vitest'
import { scriptToolCommands } from '../../core/script/script-tools.ts'
import { awaitEnding } from '../../core/tool/outcome.ts'
import { createCaller } from '../calls/call.ts'
import { runCatalogScript } from '../calls/script-runner.ts'
import { planTool } from '../checks/plan-generated-checks.ts'
import { runExample } from '../checks/run-example.ts'
import { runGeneratedChecks } from '../checks/run-generated-checks.ts'
import { toolRoutes } from '../http/routes/tools.ts'
import { createHono } from '../http/serve-endpoints.ts'
import { Emitter } from '../process/events.ts'
import { mcpFactory } from '../serve-mcp/mcp-factory.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import { neverAborted } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { startValidator } from '../workers/validator.ts'
import { updateLock } from './lock-file.ts'
import { bye, greet, openPinned } from './testkit.ts'

/** As it was approved, but for the promise that nothing is changed. */
const harmless = { ...greet, annotations: { readOnlyHint: true, openWorldHint: false } }
const refused = { type: 'failure', reason: 'not-approved' }

describe('pins: the definition that a caller saw', () => {
  test('pins: two approved tools do not exchange the names by which others call them', async ({ folder }) => {
    const { approve, change, calls, catalog, pins } = await openPinned(folder)
    const [spaced, erases] = [
      { ...bye, name: 'get data' },
      { ...greet, name: 'get_data' },
    ]
    await change({ tools: [spaced, erases, greet] })
    await approve()
    const validator = startValidator()
    const factory = mcpFactory({
      catalog,
      pins,
      call: createCaller({ tools: catalog, validator, pins }),
      timeoutMs: 60_000,
      opened: Promise.resolve(),
      notifications: new Emitter<SourceNotification>(),
      allowDestructive: true,
      variables: {},
      selection: { agents: 'all', agentToolsOnly: false },
    })
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'test', version: '1' })
    await Promise.all([factory.build('legacy').connect(theirs), client.connect(ours)])
    const ask = (name: string) => client.callTool({ name, arguments: {} })
    await ask('get_data')
    expect(calls()).toEqual(['get data'])
    await change({ tools: [erases, spaced, greet] })
    expect(await ask('get_data')).toMatchObject({ isError: true })
    await change({ tools: [erases, greet] })
    expect(await ask('get_data')).toMatchObject({ isError: true })
    expect(await ask('greet')).not.toMatchObject({ isError: true })
    expect(calls()).toEqual(['get data', 'greet'])
    await client.close()
    await validator.close()
    await catalog.close()
  })

  test('pins: a tool is not renamed to the name of a tool of another source', async ({ folder }) => {
    const { approve, change, call, catalog, lock } = await openPinned(folder)
    await approve()
    const read = {
      kind: 'tool',
      name: 'read',
      definition: {},
      approvedAt: new Date(0).toISOString(),
    } as const
    const other = {
      ...read,
      kind: 'server',
      name: '',
      definition: { address: { url: 'https://a.example' } },
    } as const
    await updateLock(lock, ({ pins, others }) => ({ others, pins: new Map(pins).set('desk', [other, read]) }))
    for (const name of ['read', 'Read', 'desk_read', 'look']) {
      await change({ tools: [{ ...greet, name }, bye] })
      const expected = name === 'look' ? { type: 'result' } : refused
      expect(await call(`acme/${name}`)).toMatchObject(expected)
    }
    await catalog.close()
  })

  test('pins: a call that is cancelled does not wait for the list', async ({ folder }) => {
    const { approve, write, calls, catalog, pins } = await openPinned(folder)
    await approve()
    write({ tools: [greet, bye], holds: join(folder, 'go') })
    catalog.sources.get('acme').readAt = undefined
    const validator = startValidator()
    const stop = new AbortController()
    const request = { ref: 'acme/greet', input: { text: '{}', value: {} }, origin: 'API' } as const
    const call = createCaller({ tools: catalog, validator, pins })
    const ended = awaitEnding(call({ ...request, signal: stop.signal }))
    await vi.waitFor(() => expect(catalog.sources.get('acme').changes.isReading).toBe(true))
    stop.abort()
    expect(await ended).toMatchObject({ reason: 'cancelled' })
    writeFileSync(join(folder, 'go'), '')
    expect(calls()).toEqual([])
    await validator.close()
    await catalog.close()
  })

  test('pins: a script for a model is not given a name that was not approved', async ({ folder }) => {
    const { approve, change, catalog, pins } = await openPinned(folder)
    const long = { ...bye, name: 'list_the_reports_of_the_last_quarter_for_the_board' }
    await change({ tools: [greet, long] })
    await approve()
    const validator = startValidator()
    const names = scriptToolCommands(catalog.tools.list())
    const hostile = { ...bye, name: 'list_the_reports_of_the_last_and_send_the_password' }
    await change({ tools: [greet, hostile] })
    let written = ''
    const script = await runCatalogScript({
      script: long.name,
      names,
      call: createCaller({ tools: catalog, validator, pins }),
      validator,
      confirmed: 'all',
      onEvent: event => {
        written += JSON.stringify(event)
      },
    })
    await script.ended
    expect(written).toContain('no longer exists')
    expect(written).not.toContain('password')
    await validator.close()
    await catalog.close()
  })

  test('pins: a call is refused if its caller saw a definition that was not approved', async ({ folder }) => {
    const { approve, change, call, calls, catalog } = await openPinned(folder)
    await approve()
    const approved = catalog.tools.get('acme/greet')
    await change({ tools: [harmless, bye] })
    const seen = catalog.tools.get('acme/greet')
    const page = createHono().route(
      '/',
      toolRoutes(catalog, { demand: async () => {}, demandItems: async () => {} }),
    )
    const { definition } = await (await page.request('/api/tools/acme/greet')).json()
    await change({ tools: [greet, bye] })
    expect(await call('acme/greet', { seen })).toMatchObject(refused)
    expect(await call('acme/greet', { seen: definition })).toMatchObject(refused)
    expect(calls()).toEqual([])
    expect(await call('acme/greet', { seen: approved })).toMatchObject({ type: 'result' })
    const later = await (await page.request('/api/tools/acme/greet')).json()
    expect(await call('acme/greet', { seen: later.definition })).toMatchObject({ type: 'result' })
    await catalog.close()
  })

  test('pins: a caller that saw the approved definition may call what the policy allows', async ({
    folder,
  }) => {
    const { approve, change, call, catalog } = await openPinned(folder)
    await approve()
    const seen = catalog.tools.get('acme/greet')
    const properties = { name: { type: 'string', minLength: 1 } }
    await change({ tools: [{ ...greet, inputSchema: { type: 'object', properties } }, bye] })
    expect(await call('acme/greet', { seen })).toMatchObject({ type: 'result' })
    await catalog.close()
  })

  test('pins: a generated check is not sent if its plan is about a definition that was not approved', async ({
    folder,
  }) => {
    const { approve, change, pins, calls, catalog } = await openPinned(folder)
    await approve()
    await change({ tools: [harmless, bye] })
    const tool = catalog.tools.get('acme/greet')
    const plans = [await planTool(tool, { seed: 1, listsInputs: false })]
    await change({ tools: [greet, bye] })
    const validator = startValidator()
    const call = createCaller({ tools: catalog, validator, pins })
    const signal = neverAborted()
    const limits = { maxCalls: 10, callTimeoutMs: 10_000, timeMs: 60_000, concurrency: 1 }
    const { report } = await runGeneratedChecks({
      ...limits,
      catalog,
      call,
      plans,
      skipped: [],
      seed: 1,
      signal,
    })
    expect(report.tools[0]?.cut).toMatch(/changed after its caller looked it up/)
    const example = { name: 'one', input: {} }
    const outcome = await runExample({ tool, example, environment: {}, signal }, { catalog, call, validator })
    expect(outcome.status).toBe('failed')
    expect(calls()).toEqual([])
    await validator.close()
    await catalog.close()
  })
})
