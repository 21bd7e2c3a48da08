import { expect, it } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { Emitter } from '../process/events.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { callAndWait, resolveInRepository, testContext } from '../sources/testkit.ts'
import { startValidator } from '../workers/validator.ts'
import { mcpFactory } from './mcp-factory.ts'
import type { SourceNotification } from './pass-notifications.ts'
import { servedTools } from './served-tools.ts'

it('mcpFactory: reports a changed list, but not a server that crashed and restarted', async () => {
  const catalog = new Catalog(testContext)
  const quirks = resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')
  const spec = await detectSource(['mcp:', process.execPath, quirks], testContext)
  const { name } = await catalog.sources.open(spec)
  const factory = mcpFactory({
    pins: null,
    catalog,
    selection: { agents: 'all', agentToolsOnly: false },
    timeoutMs: 10_000,
    allowDestructive: false,
    opened: Promise.resolve(),
    notifications: new Emitter<SourceNotification>(),
    variables: {},
    call: createCaller({ tools: catalog, validator: startValidator(), pins: null }),
  })
  let changes = 0
  const stop = factory.onToolsChanged(() => changes++)
  const statuses: string[] = []
  catalog.sources.onChange(() => statuses.push(catalog.sources.list()[0]?.status ?? 'gone'))
  const call = (tool: string) => {
    const { session } = catalog.callTarget(`${name}/${tool}`)
    return callAndWait(session, catalog.tools.get(`${name}/${tool}`), {})
  }

  await call('crash')
  await until(() => statuses.includes('degraded') && statuses.at(-1) === 'ready')
  expect(changes).toBe(0)

  await call('grow')
  await until(() => catalog.tools.has(`${name}/grown`))
  expect(changes).toBe(1)

  stop()
  await catalog.close()
})

it.each([
  ['with a list of one type', { type: ['object'] }, true],
  ['without a type', {}, {}],
])('servedTools: a client gets the limits of an input %s', (_form, more, other) => {
  const path = { type: 'string', pattern: '^/tmp/' }
  const tool = {
    ...{ ref: 'files/read', source: 'files', name: 'read', index: 0, callable: true },
    inputSchema: { ...more, properties: { path, other }, required: ['path'] },
  }
  const [served] = servedTools([tool], { agents: 'all', agentToolsOnly: false })
  expect(served?.entry.inputSchema).toEqual({
    type: 'object',
    properties: { path, other: {} },
    required: ['path'],
  })
})
