/** /api/generated-checks: the events of a run, its confirmation, its stop, and the scores that it leaves. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GeneratedEvent } from '../../../core/api/generated-checks.ts'
import { readExample } from '../../../core/checks/example.ts'
import type { ScoreList } from '../../../core/checks/generated-checks.ts'
import { project } from '../../../scripts/project.mjs'
import { createCaller } from '../../calls/call.ts'
import { CallLoad } from '../../calls/call-load.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { detectSource } from '../../recognise/detect-source.ts'
import { sqlite, type TestDatabase } from '../../store/testkit.ts'
import { startValidator } from '../../workers/validator.ts'
import { createHono } from '../serve-endpoints.ts'
import { generatedCheckRoutes } from './generated-checks.ts'

const context = { directory: project(), environment: process.env }
const catalog = new Catalog(context)
const validator = startValidator()
const app = createHono()
const broken = createHono()
const notices: string[] = []
let hasFault = false
/** A catalog with a fault that a run meets after its first calls. */
const brokenCatalog: Catalog = Object.create(catalog, {
  sources: {
    get() {
      if (hasFault) throw new Error('a fault of the program')
      return catalog.sources
    },
  },
})
const load = new CallLoad()
let database: TestDatabase

beforeAll(async () => {
  database = await sqlite.create()
  const store = await database.open()
  const server = ['mcp:node', project('server/testing/faulty-server.mjs')]
  await catalog.sources.open(await detectSource(server, context))
  const call = createCaller({ tools: catalog, validator, pins: null, load })
  const parts = { store, notices: { emit: (text: string) => void notices.push(text) }, callFor: () => call }
  app.route('/', generatedCheckRoutes({ ...parts, catalog }))
  broken.route('/', generatedCheckRoutes({ ...parts, catalog: brokenCatalog }))
})
afterAll(async () => {
  await catalog.close()
  await validator.close()
  await database.remove()
})

const headers = { 'content-type': 'application/json' }
async function post(body: object, target = app): Promise<GeneratedEvent[]> {
  const answer = await target.request('/api/generated-checks', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

const ref = 'faulty-server/ignores_maximum'

test('/api/generated-checks: a dry run lists the inputs and is one event', async () => {
  const events = await post({ ref, dryRun: true })
  expect(events).toMatchObject([{ type: 'plan', plan: { isDryRun: true, tools: [{ ref, invalid: 5 }] } }])
  const [event] = events
  const inputs = event?.type === 'plan' ? (event.plan.tools[0]?.inputs ?? []) : []
  expect(
    inputs.find(({ constraint }) => constraint.keyword === 'maximum' && constraint.value === 9),
  ).toBeDefined()
  expect(inputs.filter(({ kind }) => kind === 'invalid')).toHaveLength(5)
})

test('/api/generated-checks: a run reports its finding with an example, and its score is stored', async () => {
  const events = await post({ ref })
  expect(events[0]?.type).toBe('plan')
  expect(events.at(-1)).toMatchObject({ type: 'end', report: { ending: 'done', coveragePercent: 100 } })
  const findings = events.flatMap(event => (event.type === 'finding' ? event.finding : []))
  expect(findings).toMatchObject([
    { ref, verdict: 'accepted-silently', inputText: '{"size":10}', isSmallest: true },
  ])
  expect(readExample(findings[0]?.exampleText ?? '')).toMatchObject({
    ok: true,
    example: { expect: { refuses: '/size' } },
  })
  const answer = await app.request('/api/generated-checks/scores')
  const scores = (await answer.json()) as ScoreList
  expect(scores.tools).toMatchObject([{ ref, findings: 1, isOutdated: false, score: { calls: 11 } }])
  expect(scores.sources).toMatchObject([{ source: 'faulty-server' }])
})

test('/api/generated-checks: a stopped run ends with its report', async () => {
  const answer = await app.request('/api/generated-checks', {
    method: 'POST',
    headers,
    body: JSON.stringify({ source: 'faulty-server', rate: 1 }),
  })
  const reader = answer.body?.getReader()
  let text = ''
  const read = async () => {
    const { value, done = true } = (await reader?.read()) ?? {}
    text += new TextDecoder().decode(value)
    return !done
  }
  while (!text.includes('\n') && (await read()));
  const [first = ''] = text.split('\n')
  const { id } = JSON.parse(first).plan
  const stopped = await app.request(`/api/generated-checks/${id}/stop`, { method: 'POST' })
  expect(await stopped.json()).toEqual({ stopped: true })
  while (await read());
  expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'end',
    report: { ending: 'stopped' },
  })
  const again = await app.request(`/api/generated-checks/${id}/stop`, { method: 'POST' })
  expect(await again.json()).toEqual({ stopped: false })
})

test('/api/generated-checks: an error of a run reaches the client as its last event, and the log', async () => {
  let ended = 0
  const stopListening = load.onEnded(() => {
    ended += 1
    hasFault = ended === 3
  })
  const events = await post({ ref }, broken)
  stopListening()
  expect(events[0]?.type).toBe('plan')
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'internal' } })
  expect(notices).toEqual([`The generated checks of ${ref} ended with an error: a fault of the program`])
})

test('/api/generated-checks: a run whose source is stopped ends with a report that says so', async () => {
  let ended = 0
  const stopListening = load.onEnded(() => {
    ended += 1
    if (ended === 3) void catalog.sources.stop('faulty-server')
  })
  const events = await post({ ref })
  stopListening()
  const last = events.at(-1)
  await catalog.sources.restart('faulty-server')
  const [tool] = last?.type === 'end' ? last.report.tools : []
  expect(tool?.cut).toContain(ref)
  expect(tool?.inputs).toBeLessThan(tool?.planned ?? 0)
})

test('/api/generated-checks: refuses a request without a tool or a source', async () => {
  const answer = await app.request('/api/generated-checks', { method: 'POST', headers, body: '{"seed":1}' })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('name either')
})

test('/api/generated-checks: a run is stopped by the stop of the server, and says that it sent no input again', async () => {
  // The calls are: ten inputs, and the failed one again.
  let ended = 0
  const stopListening = load.onEnded(() => {
    ended += 1
    if (ended === 10) load.refuseNew()
  })
  const events = await post({ ref })
  stopListening()
  expect(events.at(-1)).toMatchObject({ type: 'end', report: { ending: 'stopped' } })
  const findings = events.flatMap(event => (event.type === 'finding' ? event.finding : []))
  expect(findings.map(({ notes }) => notes)).toEqual([
    ['It failed once. It was not sent again, because the run ended.'],
  ])
})
