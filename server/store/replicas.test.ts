import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LiveChanges, StoreEvent } from '../../core/api/events.ts'
import type { HistoryPage, StoreState } from '../../core/api/history.ts'
import { acme, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { findPostgres, type PostgresServer, startPostgres } from './postgres.testkit.ts'

const testToken = 'shared-between-replicas-0123456789'
const headers = { authorization: `Bearer ${testToken}` }

interface Replica {
  readonly origin: string
  readonly heard: StoreEvent[]
  readonly stderr: () => string
  readonly stop: () => Promise<void>
}

async function startReplica(url: string, directory: string, more: readonly string[] = []): Promise<Replica> {
  const { origin, stderr, stop } = await startToolscope([...more, 'node', '--', acme], undefined, {
    TOOLSCOPE_TOKEN: testToken,
    TOOLSCOPE_DATABASE_URL: url,
    TOOLSCOPE_DATA_DIR: directory,
  })
  const heard: StoreEvent[] = []
  const abort = new AbortController()
  const events = await fetch(`${origin}/api/events`, { headers, signal: abort.signal })
  void listen(events, heard).catch(() => undefined)
  return {
    origin,
    heard,
    stderr,
    stop() {
      abort.abort()
      return stop()
    },
  }
}

async function listen(answer: Response, heard: StoreEvent[]): Promise<void> {
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^event: changes\ndata: (.*)$/m.exec(message)?.[1]
      if (data !== undefined) heard.push(...((JSON.parse(data) as LiveChanges).store ?? []))
    }
  }
}

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + 30_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error('it did not come about in time')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function ask<T>(replica: Replica, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(`${replica.origin}${path}`, {
    ...init,
    headers: { ...headers, 'content-type': 'application/json' },
  })
  return (await answer.json()) as T
}

async function call(replica: Replica, name: string): Promise<string> {
  const answer = await fetch(`${replica.origin}/api/invocations`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ref: 'acme/api greet', input: { name } }),
  })
  const [first = ''] = (await answer.text()).split('\n')
  return (JSON.parse(first) as { id: string }).id
}

describe.skipIf(findPostgres() === null)('two servers on one PostgreSQL', () => {
  let server: PostgresServer
  let one: Replica
  let two: Replica
  const directory = mkdtempSync(join(tmpdir(), 'toolscope-replicas-'))
  beforeAll(async () => {
    server = await startPostgres()
    const both = await Promise.all([
      startReplica(server.url, directory),
      startReplica(server.url, directory, ['--allow-host', 'tools.example.com']),
    ])
    ;[one, two] = both
  })
  afterAll(async () => {
    await Promise.all([one?.stop(), two?.stop()])
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  test('report each other’s calls, pins and deletions live', { timeout: 60_000 }, async () => {
    const id = await call(one, 'Ada')
    await until(() => two.heard.find(event => event.kind === 'invocation' && event.ids?.includes(id)))
    const page = await ask<HistoryPage>(two, '/api/history?text=ada')
    expect(page.invocations).toMatchObject([{ id, ref: 'acme/api greet', origin: 'API' }])
    // What the first call still announces comes before what the next one does.
    const next = await call(one, 'Bob')
    for (const replica of [one, two])
      await until(() => replica.heard.find(event => event.ids?.includes(next)))
    one.heard.length = 0
    two.heard.length = 0
    await ask(two, `/api/history/${id}`, { method: 'PATCH', body: '{"pinned":true}' })
    await until(() => one.heard.find(event => event.ids?.includes(id)))
    expect(await ask(one, `/api/history/${id}`)).toMatchObject({ pinned: true })
    // Each replica receives a change once, the sender too.
    await until(() => two.heard.find(event => event.ids?.includes(id)))
    expect(two.heard.filter(event => event.ids?.includes(id))).toHaveLength(1)
  })

  test('lose the database, still call tools, and reconnect', { timeout: 120_000 }, async () => {
    await server.kill()
    for (const replica of [one, two]) {
      const state = await until(async () => {
        const found = await ask<StoreState>(replica, '/api/store')
        return found.state === 'off' ? found : undefined
      })
      expect(state.error?.detail).toContain('cannot be reached')
      await until(() => replica.heard.find(event => event.kind === 'status' && event.ids?.includes('off')))
    }
    // A call needs no memory.
    expect(await call(one, 'Grace')).toMatch(/^[0-9a-f-]{36}$/)
    await server.start()
    for (const replica of [one, two])
      await until(() => replica.heard.find(event => event.kind === 'status' && event.ids?.includes('ready')))
    const id = await call(two, 'Barbara')
    await until(() => one.heard.find(event => event.ids?.includes(id)))
    const { invocations } = await ask<HistoryPage>(one, '/api/history?text=barbara')
    expect(invocations.map(each => each.id)).toEqual([id])
    expect(one.stderr()).toContain('The store works again')
  })

  test('accept the same cookie', async () => {
    const entered = await fetch(`${one.origin}/?token=${testToken}`, { redirect: 'manual' })
    const cookie = String(entered.headers.get('set-cookie')).split(';')[0] ?? ''
    const answer = await fetch(`${two.origin}/api/store`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(200)
  })

  test('serve other machines only with a token that is long enough', async () => {
    for (const more of [
      ['--host', '0.0.0.0'],
      ['--allow-host', 'tools.example.com'],
    ]) {
      const { code, stderr } = await runToolscope(['serve', '--no-open', '--port', '0', ...more], {
        directory,
        environment: { TOOLSCOPE_TOKEN: 'short', TOOLSCOPE_DATA_DIR: directory },
      })
      expect(code).toBe(2)
      expect(stderr).toContain('TOOLSCOPE_TOKEN')
    }
  })
})
