/** What an operator sees of a running server, and how it ends. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { acme, type Running, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { CallLoad } from '../calls/call-load.ts'
import { test } from '../testing/folder-test.ts'
import { createJsonLog } from './json-log.ts'
import { listenAt } from './listen.ts'
import { drainServer, ServerActivity, withActivity } from './server-activity.ts'

const metricsToken = 'only-for-metrics-0123'

interface Served extends Running {
  /** Starts a call that lasts for some seconds; resolves when it runs, with the text of its answer to come. */
  startCall(seconds: number): Promise<{ readonly answer: Promise<string> }>
}

async function serving(
  args: readonly string[],
  folder: string,
  act: (server: Served) => Promise<void>,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const data = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const server = await startToolscope([...args, 'node', '--', acme], folder, { ...data, ...environment })
  const startCall = async (seconds: number) => {
    const input = { release: 'r-2291', seconds }
    const answer = await server.request('/api/invocations', { ref: 'acme/ops logs', input })
    expect(answer.status).toBe(200)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const read = async () => {
      const { done, value = '' } = (await reader?.read()) ?? { done: true }
      text += value
      return done
    }
    while (!text.includes('"stderr"')) if (await read()) throw new Error(`it ended too soon: ${text}`)
    const toEnd = async () => {
      while (!(await read()));
      return text
    }
    return { answer: toEnd() }
  }
  try {
    await act({ ...server, startCall })
  } finally {
    await server.stop()
  }
}

const greet = (server: Running, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/api/invocations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ ref: 'acme/api greet', input: { name: 'Ada' } }),
  })

const readReady = async (server: Running, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.origin}/api/health/ready`, { headers })
  return { status: answer.status, body: await answer.json() }
}

const readHistory = async (folder: string) => {
  const { stdout } = await runToolscope(['history', '--json'], {
    directory: folder,
    environment: { TOOLSCOPE_DATA_DIR: join(folder, 'data') },
  })
  return JSON.parse(stdout) as { invocations: { outcome: string; ref: string }[] }
}

test('withActivity: a call waits for the sources of the start, and nothing else does', async () => {
  const activity = new ServerActivity(new CallLoad())
  const app = new Hono()
  app.use(withActivity(activity))
  app.all('*', context => context.text(String(activity.isOpening)))
  const ask = async (path: string) => (await app.request(path, { method: 'POST' })).text()
  expect(await ask('/api/invocations')).toBe('false')
  const endOpening = activity.beginOpening()
  const call = ask('/api/invocations')
  expect(await ask('/api/sources')).toBe('true')
  endOpening()
  expect(await call).toBe('false')
})

test('drainServer: answers a request that arrives at its end', async () => {
  const activity = new ServerActivity(new CallLoad())
  const app = new Hono()
  app.use(withActivity(activity))
  app.all('*', context => context.text(`draining: ${activity.isDraining}`))
  const { server, port } = await listenAt(app, '127.0.0.1', 0)
  activity.follow(server)
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let answer = ''
  client.setEncoding('utf8').on('data', text => {
    answer += text
  })
  const closed = once(client, 'close')
  await drainServer(activity, 0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  server.closeAllConnections()
  server.close()
  await closed
  expect(answer).toMatch(/^connection: close\r$/im)
  expect(answer).toContain('draining: true')
})

test('JSON log: the path of a request has no token, also next to an escaped slash', async () => {
  const lines: string[] = []
  const log = await createJsonLog(line => lines.push(line))
  const activity = new ServerActivity(new CallLoad())
  activity.answered.on(log.request)
  const app = new Hono()
  app.use(withActivity(activity))
  app.all('*', context => context.text(''))
  for (const token of [`sk-${'a'.repeat(20)}`, `tsp_${'b'.repeat(43)}`])
    for (const separator of ['/', '%2F']) await app.request(`/api/tools/acme${separator}${token}`)
  expect(lines.map(line => JSON.parse(line).request)).toEqual(Array(4).fill('GET /api/tools/acme/•••'))
})

describe('server metrics', () => {
  test('count calls by source and outcome, for the token and for a token that reads nothing else', async ({
    folder,
  }) => {
    const environment = { TOOLSCOPE_METRICS_TOKEN: metricsToken }
    await serving(
      [],
      folder,
      async server => {
        const metrics = { authorization: `Bearer ${metricsToken}` }
        expect((await fetch(`${server.origin}/metrics`)).status).toBe(401)
        expect((await fetch(`${server.origin}/api/tools`, { headers: metrics })).status).toBe(401)
        expect(await readReady(server)).toEqual({ status: 200, body: { ready: true } })
        const bearer = { authorization: `Bearer ${server.token}` }
        expect(await readReady(server, bearer)).toEqual({ status: 200, body: { ready: true, reasons: [] } })
        expect(await (await greet(server)).text()).toContain('"type":"result"')

        const events = await server.request('/api/events')
        const answer = await fetch(`${server.origin}/metrics`, { headers: metrics })
        expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
        const text = await answer.text()
        for (const line of [
          'toolscope_calls_total{source="acme",outcome="ok"} 1',
          'toolscope_call_duration_seconds_count 1',
          'toolscope_calls_waiting 0',
          'toolscope_pages_open 1',
          'toolscope_sources{status="ready"} 1',
          'toolscope_store_up 1',
          'toolscope_http_requests_total{status="401"} 2',
        ])
          expect(text.split('\n')).toContain(line)
        for (const name of [
          'process_resident_memory_bytes',
          'nodejs_eventloop_lag_p99_seconds',
          'toolscope_spool_bytes',
        ])
          expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'))
        await events.body?.cancel()
        expect(await (await server.request('/metrics')).text()).toContain('toolscope_build_info')
      },
      environment,
    )
  })
})

describe('server drain', () => {
  test('after SIGTERM: not ready, no new calls, event streams end, the running call ends, exit code 0', async ({
    folder,
  }) => {
    await serving([], folder, async server => {
      const events = await server.request('/api/events')
      const { answer } = await server.startCall(3)
      const exited = once(server.process, 'exit')
      server.process.kill('SIGTERM')
      expect(await events.text()).toContain('retry: 1000')

      const bearer = { authorization: `Bearer ${server.token}` }
      expect(await readReady(server)).toEqual({ status: 503, body: { ready: false } })
      expect(await readReady(server, bearer)).toEqual({
        status: 503,
        body: { ready: false, reasons: [expect.stringContaining('takes no new calls')] },
      })
      const refused = await greet(server)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      expect(refused.headers.get('connection')).toBe('close')
      // A proxy sends a page that reconnects to another replica, and reads go on.
      expect((await server.request('/api/events')).status).toBe(503)
      expect((await server.request('/api/tools')).status).toBe(200)

      expect(await answer).toContain('"type":"result"')
      expect(await exited).toEqual([0, null])
    })
    const { invocations } = await readHistory(folder)
    expect(invocations).toMatchObject([{ outcome: 'ok' }])
  })

  test('cancels at its bound what still runs, with its ending sent and its history written; the log has lines of JSON', async ({
    folder,
  }) => {
    const token = 'the-token-of-this-server'
    const run = async (server: Served) => {
      const trace = '0af7651916cd43dd8448eb211c80319c'
      const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01`, 'x-request-id': 'r-1' }
      await (await greet(server, headers)).text()
      await fetch(`${server.origin}/api/history?token=${token}`)
      const { answer } = await server.startCall(600)
      const exited = once(server.process, 'exit')
      server.process.kill('SIGTERM')
      expect(await answer).toContain('Toolscope was stopped while the call ran.')
      expect(await exited).toEqual([0, null])
      const lines = server.stderr().trimEnd().split('\n')
      const log = lines.map(line => JSON.parse(line) as Record<string, unknown>)
      expect(log.map(({ event }) => event)).toEqual([
        'start',
        'audit',
        'request',
        'request',
        'audit',
        'request',
        'drain',
        'stop',
      ])
      expect(log[1]).toMatchObject({ target: 'acme/api greet', requestId: 'r-1' })
      expect(log[2]).toMatchObject({ status: 200, requestId: 'r-1', traceId: trace, level: 'info' })
      expect(log[3]).toMatchObject({ request: 'GET /api/history', status: 401, error: 'unauthorised' })
      expect(log[6]).toMatchObject({ running: 1, maxMs: 500 })
      expect(log[7]).toMatchObject({ cancelled: 1 })
      expect(server.stderr()).not.toContain(token)
    }
    // A name of another host makes the server shared: its audit lines are in the log.
    const args = ['--drain', '500ms', '--log-json', '--allow-host', 'tools.example.com']
    await serving(args, folder, run, { TOOLSCOPE_TOKEN: token })
    const { invocations } = await readHistory(folder)
    expect(invocations).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'ok' }])
  })

  test('ends at once with a second SIGTERM, and history has the call', async ({ folder }) => {
    await serving([], folder, async server => {
      const { answer } = await server.startCall(600)
      const broken = expect(answer).rejects.toThrow()
      const exited = once(server.process, 'exit')
      server.process.kill('SIGTERM')
      await until(() => server.stderr().includes('Stopping: waiting up to 10s for 1 call.'))
      server.process.kill('SIGTERM')
      expect(await exited).toEqual([143, null])
      await broken
    })
    const { invocations } = await readHistory(folder)
    expect(invocations).toMatchObject([{ outcome: 'cancelled' }])
  })
})
