import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { freePort, limitNow, until } from '../../scripts/test-processes.ts'
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

const opened: Session[] = []
const started: ChildProcess[] = []
const served: Server[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map(session => session.close()))
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const server of served.splice(0)) server.closeAllConnections()
})

async function start(path: string, words: readonly string[], environment = {}) {
  const child = spawn(process.execPath, [resolveInRepository(path), ...words], {
    env: { ...process.env, ...environment },
  })
  started.push(child)
  return child
}

async function startQuirks(file: string, ...words: string[]) {
  const child = await start(`server/sources/fixtures/${file}.mjs`, ['--http', ...words])
  for await (const chunk of child.stdout) {
    const port = /listening (\d+)/.exec(String(chunk))?.[1]
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}/mcp` }
  }
  throw new Error('it did not start')
}

async function openUrl(url: string, context: SourceContext = testContext) {
  const session = await openSource(`mcp:${url}`, context)
  opened.push(session)
  return session
}

describe.each([
  ['mcp-quirks-old', '2025-11-25'],
  ['mcp-quirks-new', '2026-07-28'],
])('MCP server %s over HTTP', (file, protocol) => {
  it('lists its tools, reports progress, and can be called again after a cancel', async () => {
    const { url } = await startQuirks(file)
    const session = await openUrl(url)
    expect((await session.manifest(neverAborted())).tools).toHaveLength(16)
    expect(session.about?.().protocol).toBe(protocol)
    const { events } = await callAndWait(session, await toolNamed(session, 'slow'), { steps: 3 })
    expect(events.filter(event => event.type === 'progress')).toHaveLength(3)
    const hang = await toolNamed(session, 'hang')
    const { ending } = await callAndWait(session, hang, {}, { signal: AbortSignal.timeout(200) })
    expect(ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    const typed = await callAndWait(session, await toolNamed(session, 'untyped'), {})
    expect(typed.ending).toMatchObject({ type: 'result', structuredContent: { count: 'many' } })
  })

  it('gets a number of the input as a number', async () => {
    const { url } = await startQuirks(file)
    const session = await openUrl(url)
    const echo = await toolNamed(session, 'echo')
    // The server rounds it; that it is a number at all shows that nothing of ours stood in its place.
    const { ending } = await callAndWait(session, echo, '{"message": 12345678901234567890}')
    expect(ending.structuredContent).toEqual({ message: Number('12345678901234567890') })
  })

  it('fails a call within two seconds when it is killed, and is reported as down', aboutTime, async () => {
    const { url, child } = await startQuirks(file)
    const news: string[] = []
    const session = await openUrl(url, { ...testContext, down: error => news.push(error.code) })
    let said = ''
    child.stderr.on('data', text => {
      said += text
    })
    const waiting = callAndWait(session, await toolNamed(session, 'hang'), {})
    await until(() => said.includes('hang started'))
    const killed = Date.now()
    child.kill('SIGKILL')
    expect((await waiting).ending).toMatchObject({ type: 'failure', reason: 'network' })
    expect(Date.now() - killed).toBeLessThan(limitNow(2_000))
    expect(news[0]).toBe('source-failed')
  })

  it('reports a change of its tools', async () => {
    const { url } = await startQuirks(file)
    let changes = 0
    const session = await openUrl(url, { ...testContext, changed: () => changes++ })
    const grow = await toolNamed(session, 'grow')
    await new Promise(resolve => setTimeout(resolve, 300))
    await callAndWait(session, grow, {})
    await until(() => changes > 0)
  })
})

it.each(['json', 'events', 'stream'])(
  'MCP server over HTTP: gets and returns numbers beyond 2^53 exactly as %s',
  async manner => {
    const session = await openUrl((await startQuirks('mcp-raw', manner)).url)
    const fine = await toolNamed(session, 'fine')
    const inputs = ['{"id":98765432109876543210}', '{"id":1}', '{"id":9007199254740993}']
    const calls = await Promise.all(inputs.map(input => callAndWait(session, fine, input)))
    for (const [index, { ending }] of calls.entries()) {
      expect(ending.raw).toContain('"big":12345678901234567890')
      expect(ending.structuredContent).toHaveProperty('sent', expect.stringContaining(`${inputs[index]}`))
    }
  },
)

it('MCP server over HTTP: gets a new session and the call again when it forgot the session', async () => {
  const { url, child } = await startQuirks('mcp-quirks-old')
  const session = await openUrl(url)
  const echo = await toolNamed(session, 'echo')
  child.kill('SIGUSR2')
  await new Promise(resolve => setTimeout(resolve, 200))
  const { ending } = await callAndWait(session, echo, { message: 'still there' })
  expect(ending).toMatchObject({ type: 'result', structuredContent: { message: 'still there' } })
})

describe('server-everything over HTTP', () => {
  const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

  it.each([
    ['streamableHttp', 'mcp'],
    ['sse', 'sse'],
  ])('answers a call over %s', async (mode, path) => {
    const port = await freePort()
    const child = await start(everything, [mode], { PORT: String(port) })
    await new Promise<void>(resolve =>
      child.stderr?.on('data', text => /listening|running/i.test(text) && resolve()),
    )
    const session = await openUrl(`http://127.0.0.1:${port}/${path}`)
    const { ending } = await callAndWait(session, await toolNamed(session, 'echo'), { message: 'hi' })
    expect(ending.content).toMatchObject([{ type: 'text', text: 'Echo: hi' }])
  })
})

describe('address without a usable MCP server', () => {
  it('is refused with "connection refused" when nothing listens', async () => {
    const session = await openUrl(`http://127.0.0.1:${await freePort()}/mcp`)
    const error = await session.manifest(neverAborted()).catch(toAppError)
    expect(error).toMatchObject({
      code: 'source-failed',
      detail: expect.stringContaining('connection refused'),
    })
  })

  it('is refused with the status 401 when it wants credentials, and gets none', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401).end()
    })
    served.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const session = await openUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
    const error = await session.manifest(neverAborted()).catch(toAppError)
    expect(error).toMatchObject({ code: 'source-failed', detail: expect.stringContaining('401') })
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })
})
