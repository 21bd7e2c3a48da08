import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { isRunning, limitNow, until } from '../../scripts/test-processes.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import type { Session, SourceContext } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'

const fixture = (name: string) => resolveInRepository(`server/sources/fixtures/${name}.mjs`)
const published = (name: string) =>
  resolveInRepository(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const opened: Session[] = []

const startServer = (path: string, words: readonly string[] = [], context: SourceContext = testContext) =>
  openSource(['mcp:', process.execPath, path, ...words], context)

async function openServer(...how: Parameters<typeof startServer>) {
  const session = await startServer(...how)
  opened.push(session)
  return session
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(session => session.close()))
})

describe.each([
  ['old', 'mcp-quirks-old', '2025-11-25', '1.2.3'],
  ['new', 'mcp-quirks-new', '2026-07-28', '2.3.4'],
])('MCP server on the %s SDK', (_line, file, protocol, version) => {
  let session: Session
  beforeAll(async () => {
    session = await startServer(fixture(file))
  })
  afterAll(() => session.close())

  it('is read page by page, and its protocol revision is reported', async () => {
    const manifest = await session.manifest(neverAborted())
    expect(manifest.tools.map(tool => tool.name)).toContain('grow')
    expect(manifest.tools).toHaveLength(16)
    expect(manifest).toMatchObject({ problems: [], instructions: 'Handle with care.' })
    expect(session.about?.()).toMatchObject({ protocol, serverInfo: { name: file.slice(4), version } })
    expect(session.log?.()).toContain('quirks server starting')
  })

  it('returns structured content, _meta and annotations', async () => {
    const tool = await toolNamed(session, 'echo')
    expect(tool).toMatchObject({ title: 'Echo', annotations: { readOnlyHint: true } })
    const { ending } = await callAndWait(session, tool, { message: ['x', null] })
    expect(ending).toMatchObject({
      type: 'result',
      structuredContent: { message: ['x', null] },
      meta: { seen: true },
    })
  })

  it('is not sent an input that is nested too deep, and still answers another call', async () => {
    const [echo, slow] = [await toolNamed(session, 'echo'), await toolNamed(session, 'slow')]
    const slower = callAndWait(session, slow, {})
    for (const depth of [5_000, 50_000]) {
      const { ending } = await callAndWait(
        session,
        echo,
        `{"message":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      )
      expect(ending).toMatchObject({ type: 'failure', reason: 'too-large' })
    }
    expect((await slower).ending).toMatchObject({ type: 'result' })
    const { ending } = await callAndWait(session, echo, `{"message":${'['.repeat(400)}${']'.repeat(400)}}`)
    expect(ending).toMatchObject({ type: 'result' })
  })

  it('returns a result although it breaks its own output schema', async () => {
    const { ending } = await callAndWait(session, await toolNamed(session, 'untyped'), {})
    expect(ending).toMatchObject({ type: 'result', structuredContent: { count: 'many', more: [1, 2] } })
  })

  it('causes a failure with its payload when it answers isError', async () => {
    const { ending } = await callAndWait(session, await toolNamed(session, 'fails'), {})
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'tool-error',
      isError: true,
      message: 'it did not work',
      structuredContent: { why: 'because' },
    })
  })

  it('returns every kind of content unchanged', async () => {
    const contentOf = async (name: string) =>
      (await callAndWait(session, await toolNamed(session, name), {})).ending.content
    expect(await contentOf('image')).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
    expect(await contentOf('audio')).toMatchObject([{ type: 'audio', mimeType: 'audio/wav' }])
    expect(await contentOf('resources')).toMatchObject([
      { type: 'resource_link', uri: 'file:///a.txt' },
      { type: 'resource', resource: { text: 'b' } },
      { type: 'resource', resource: { uri: 'file:///c.bin' } },
    ])
  })

  it('reports its progress', async () => {
    const { events } = await callAndWait(session, await toolNamed(session, 'slow'), { steps: 3 })
    expect(events.filter(event => event.type === 'progress')).toEqual(
      [1, 2, 3].map(step => ({ type: 'progress', progress: step, total: 3, message: `step ${step}` })),
    )
  })

  it('is notified of a cancel and of the time limit, and answers later calls', aboutTime, async () => {
    const session = await openServer(fixture(file))
    const hang = await toolNamed(session, 'hang')
    const started = Date.now()
    const cancelled = await callAndWait(session, hang, {}, { signal: AbortSignal.timeout(200) })
    expect(cancelled.ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    const late = await callAndWait(session, hang, {}, { timeoutMs: 300 })
    expect(late.ending).toMatchObject({ type: 'failure', reason: 'timeout' })
    expect(Date.now() - started).toBeLessThan(limitNow(2_000))
    await until(() => session.log?.().match(/hang was cancelled/g)?.length === 2)
    expect((await callAndWait(session, await toolNamed(session, 'echo'), {})).ending.type).toBe('result')
  })

  it('fails its calls at once with its stderr when it crashes, and is started again', aboutTime, async () => {
    const news: string[] = []
    const session = await openServer(fixture(file), [], {
      ...testContext,
      changed: cause => news.push(cause),
      down: error => news.push(error.code),
    })
    const echo = await toolNamed(session, 'echo')
    const crash = await toolNamed(session, 'crash')
    const started = Date.now()
    const waiting = callAndWait(session, await toolNamed(session, 'hang'), {})
    const { ending } = await callAndWait(session, crash, {})
    expect(ending).toMatchObject({ type: 'failure', reason: 'network' })
    expect(ending).toHaveProperty('message', 'The server exited (code 7) during the call.')
    expect(ending).toHaveProperty('stderr', expect.stringContaining('crashing on purpose'))
    expect((await waiting).ending).toMatchObject({ type: 'failure', reason: 'network' })
    expect(Date.now() - started).toBeLessThan(limitNow(2_000))
    await until(() => news.includes('connected again'))
    expect(news[0]).toBe('source-failed')
    expect((await callAndWait(session, echo, { message: 1 })).ending.type).toBe('result')
  })

  it('reports a change of its tools', async () => {
    let changes = 0
    const session = await openServer(fixture(file), [], { ...testContext, changed: () => changes++ })
    await callAndWait(session, await toolNamed(session, 'grow'), {})
    await until(() => changes > 0)
    await toolNamed(session, 'grown')
  })

  it('inherits only the safe part of the environment as an entry of a file', async () => {
    const environment = { ...process.env, MY_SECRET_TOKEN: 'hidden', HOME: '/home/x' }
    const command = [process.execPath, fixture(file)]
    const session = await configuredSource({ mcp: { command } }, { name: 's' }, {}).open({
      ...testContext,
      environment,
    })
    opened.push(session)
    const { ending } = await callAndWait(session, await toolNamed(session, 'environment'), {})
    expect(ending.structuredContent).toMatchObject({ HOME: '/home/x' })
    expect(ending.structuredContent).not.toHaveProperty('MY_SECRET_TOKEN')
  })

  it.each([[[]], [['--stubborn']]])('leaves no process when it is closed (%j)', aboutTime, async words => {
    const session = await openServer(fixture(file), words)
    const { ending } = await callAndWait(session, await toolNamed(session, 'helper'), {})
    const [block] = ending.content
    const helper = Number(block?.type === 'text' ? block.text : 0)
    expect(isRunning(helper)).toBe(true)
    const started = Date.now()
    await session.close()
    expect(isRunning(helper)).toBe(false)
    if (words.length === 0) expect(Date.now() - started).toBeLessThan(limitNow(1_000))
  })

  it('is reported with its stderr when it does not start', async () => {
    const session = await openServer(fixture(file), ['--fail'])
    const error = await session.manifest(neverAborted()).catch(toAppError)
    expect(error).toMatchObject({ code: 'source-failed', output: 'no key: set QUIRKS_KEY' })
  })

  it('may print on stdout before it speaks the protocol', async () => {
    const session = await openServer(fixture(file), ['--noise'])
    expect((await session.manifest(neverAborted())).tools).toHaveLength(16)
    expect(session.log?.()).toContain('Welcome to the quirks server')
  })
})

describe('old MCP server', () => {
  it.each(['--dies-on-probe', '--deaf'])(
    'is opened even when it does not know the first message (%s)',
    async word => {
      const session = await openServer(fixture('mcp-quirks-old'), [word])
      expect((await session.manifest(neverAborted())).tools).toHaveLength(16)
      expect(session.about?.().protocol).toBe('2025-11-25')
    },
  )
})

describe('MCP server without an SDK', () => {
  it('lists its good tools besides bad ones', async () => {
    const { tools, problems } = await (await openServer(fixture('mcp-raw'))).manifest(neverAborted())
    expect(tools.map(tool => tool.name)).toEqual(['fine', 'no-schema', '__proto__'])
    expect(problems.length).toBeGreaterThanOrEqual(2)
  })

  it('gets and returns numbers exactly as written', async () => {
    const session = await openServer(fixture('mcp-raw'))
    const { ending } = await callAndWait(
      session,
      await toolNamed(session, 'fine'),
      '{"id":\n 98765432109876543210 }',
    )
    expect(ending.raw).toContain('"big":12345678901234567890')
    expect(ending.structuredContent).toHaveProperty(
      'sent',
      expect.stringContaining('"id":  98765432109876543210 }'),
    )
  })

  it('reports progress that is read together with the result', async () => {
    const session = await openServer(fixture('mcp-raw'))
    const burst = { ...(await toolNamed(session, 'fine')), name: 'burst' }
    for (let times = 0; times < 2; times++) {
      const { events } = await callAndWait(session, burst, {})
      expect(events.map(event => [event.type, 'progress' in event && event.progress])).toEqual([
        ['progress', 1],
        ['progress', 2],
        ['result', false],
      ])
    }
  })

  it('returns odd content as text, and a result without an object is a failure', async () => {
    const session = await openServer(fixture('mcp-raw'))
    const fine = await toolNamed(session, 'fine')
    const call = async (name: string) => (await callAndWait(session, { ...fine, name }, {})).ending
    expect((await call('odd-blocks')).content).toEqual([
      { type: 'text', text: '{"type":"hologram","depth":3}' },
      { type: 'text', text: '{"type":"text"}' },
      { type: 'text', text: '7' },
      { type: 'text', text: 'plain' },
    ])
    expect(await call('not-a-list')).toMatchObject({
      content: [{ text: '"just text"' }],
      note: expect.stringContaining('not a list'),
    })
    expect(await call('no-object')).toMatchObject({ type: 'failure', reason: 'bad-output' })
  })
})

describe('published MCP servers', () => {
  it('are read and called', async () => {
    const everything = await openServer(published('server-everything'), ['stdio'])
    const { ending } = await callAndWait(everything, await toolNamed(everything, 'get-structured-content'), {
      location: 'New York',
    })
    expect(ending).toMatchObject({ type: 'result', structuredContent: { conditions: expect.any(String) } })
    const files = await openServer(published('server-filesystem'), [resolveInRepository('examples')])
    const listed = await callAndWait(files, await toolNamed(files, 'list_directory'), {
      path: resolveInRepository('examples'),
    })
    expect(listed.ending.content).toMatchObject([{ type: 'text', text: expect.stringContaining('acme') }])
    const memory = await openServer(published('server-memory'))
    expect((await memory.manifest(neverAborted())).tools).toHaveLength(9)
  })
})

it('MCP client: fails with "source-not-found" for a missing program', async () => {
  const session = await openSource(['mcp:', '/no/such/server']).catch(toAppError)
  const error = 'manifest' in session ? await session.manifest(neverAborted()).catch(toAppError) : session
  expect(error).toMatchObject({ code: 'source-not-found' })
})
