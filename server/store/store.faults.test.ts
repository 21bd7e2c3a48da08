import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyCall, foldEvents } from '../../core/tool/call-state.ts'
import { History } from '../history/history.ts'
import { buildRecord } from '../history/record.ts'
import { asStream, type TestCall, testCall } from '../history/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'
import { clearInvocations, eachInvocation, listInvocations } from './invocation-list.ts'
import { openStore } from './open-store.ts'
import { findPostgres, type PostgresServer, startPostgres } from './postgres.testkit.ts'
import type { Store } from './store.ts'

function record(call: TestCall = {}) {
  const { events, facts } = testCall(call)
  const made = buildRecord(foldEvents(emptyCall, events), facts)
  if (made === null) throw new Error('no record')
  return made
}

async function until(holds: () => boolean, ms = 15_000): Promise<void> {
  const end = Date.now() + ms
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not come about in time')
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

async function count(store: Store): Promise<number> {
  let found = 0
  for await (const { events } of eachInvocation(store, {})) found += events.length > 1 ? 1 : 0
  return found
}

describe('store in a database file', () => {
  let directory: string
  let file: string
  const said: string[] = []
  const opened: Store[] = []
  const children: ChildProcess[] = []
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolscope-faults-'))
    file = join(directory, 'toolscope.db')
    said.length = 0
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const store of opened.splice(0)) await store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  async function open(folder = directory): Promise<Store> {
    const store = await openStore({
      environment: { TOOLSCOPE_DATA_DIR: folder },
      say: line => said.push(line),
    })
    opened.push(store)
    return store
  }

  /** Another program at work on the file; resolves when it holds it. */
  async function hold(...statements: string[]): Promise<ChildProcess> {
    const script = `const D = require('libsql'); const d = new D(${JSON.stringify(file)});
      for (const s of ${JSON.stringify(statements)}) d.exec(s); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await new Promise(resolve => child.stdout?.once('data', resolve))
    return child
  }

  test('reports a full disk once, can still be read, and works again when there is space', async () => {
    const store = await open()
    const history = new History(store)
    await history.add(record())
    await sql`pragma max_page_count = 60`.execute(store.database())
    const big = { ending: { raw: Array.from({ length: 30_000 }, () => Math.random()).join(' ') } }
    let refused = 0
    for (let n = 0; n < 6; n += 1) await history.add(record(big)).catch(() => (refused += 1))
    expect(refused).toBeGreaterThan(3)
    expect(store.status()).toMatchObject({ state: 'off', error: { code: 'store-failed' } })
    expect(store.status().error?.detail).toContain('the disk is full')
    expect(said.filter(line => /continues without a store/.test(line))).toHaveLength(1)
    expect(await count(store)).toBe(7 - refused)
    await sql`pragma max_page_count = 100000`.execute(store.database())
    await history.add(record(big))
    expect(store.status().state).toBe('ready')
    expect(await count(store)).toBe(8 - refused)
    expect((await sql`pragma integrity_check`.execute(store.database())).rows).toEqual([
      { integrity_check: 'ok' },
    ])
    await history.close()
  })

  test('can be read while a real disk is full, and works again when there is space', async context => {
    const disk = join(directory, 'disk')
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'pipe' })
    } catch {
      context.skip('mounting is not allowed here')
    }
    try {
      const store = await open(disk)
      const history = new History(store)
      const filler = join(disk, 'filler')
      await history.add(record())
      try {
        writeFileSync(filler, Buffer.alloc(2_000_000))
      } catch {
        // That is the point.
      }
      const big = { ending: { raw: Array.from({ length: 20_000 }, () => Math.random()).join(' ') } }
      await expect(history.add(record(big))).rejects.toThrow(/disk is full/)
      expect(store.status().state).toBe('off')
      expect(await count(store)).toBe(1)
      rmSync(filler)
      await history.add(record())
      expect(store.status().state).toBe('ready')
      expect(await count(store)).toBe(2)
      await history.close()
    } finally {
      // libsql lets go of a closed file only when its statements are collected.
      execFileSync('umount', ['--lazy', disk])
    }
  })

  test('is off while another program holds the file at the start, and works again once it is free', async () => {
    const holder = await hold('pragma locking_mode = exclusive', 'begin exclusive', 'create table held (a)')
    const store = await open()
    expect(store.status()).toMatchObject({ state: 'off', error: { code: 'store-failed' } })
    expect(store.status().error?.detail).toContain('another program holds the file')
    expect(() => store.database()).toThrow(/another program/)
    const told = new Promise(resolve => store.onChange(resolve))
    holder.kill('SIGKILL')
    await until(() => store.status().state === 'ready')
    expect(await told).toEqual({ kind: 'status', id: 'ready' })
    expect(await listInvocations(store, {}, { limit: 1 })).toEqual({ invocations: [] })
  })

  test('waits for a short write of another program, and is off during a long one', async () => {
    const store = await open()
    const history = new History(store)
    const brief = await hold('begin immediate')
    const written = history.add(record())
    setTimeout(() => brief.kill('SIGKILL'), 500)
    await written
    expect(store.status().state).toBe('ready')
    const long = await hold('begin immediate')
    await expect(history.add(record())).rejects.toThrow(/another program holds the file/)
    expect(store.status().state).toBe('off')
    // Reading needs no turn.
    expect((await listInvocations(store, {}, { limit: 5 })).invocations).toHaveLength(1)
    long.kill('SIGKILL')
    await until(() => long.signalCode !== null)
    await history.add(record())
    expect(store.status().state).toBe('ready')
    await history.close()
  })

  test('refuses a file that is not a database, and leaves it unchanged', async () => {
    const bytes = Buffer.from('these are my notes, not yours\n'.repeat(400))
    writeFileSync(file, bytes)
    const store = await open()
    expect(store.status().error?.detail).toContain('the file is damaged')
    expect(store.status().error?.hint).toMatch(/recover|move the file/)
    await store.close()
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test('finds damage in the middle, reports it once, writes no more, and never deletes the file', async () => {
    const first = await open()
    const history = new History(first)
    await Promise.all(
      Array.from({ length: 400 }, (_, n) => history.add(record({ input: { n, text: 'x'.repeat(900) } }))),
    )
    await history.close()
    await first.close()
    const { size } = statSync(file)
    const descriptor = openSync(file, 'r+')
    for (let page = 2; page < size / 4096; page += 1)
      writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096)
    const store = await open()
    const later = new History(store)
    await listInvocations(store, {}, { limit: 50 }).catch(() => undefined)
    await later.add(record()).catch(() => undefined)
    expect(store.status().error?.detail).toContain('the file is damaged')
    expect(() => store.database()).toThrow(/damaged/)
    expect(said.filter(line => /continues without a store/.test(line))).toHaveLength(1)
    await expect(later.add(record())).rejects.toThrow(/damaged/)
    await later.close()
    expect(statSync(file).size).toBeGreaterThanOrEqual(size)
  })

  test('is off with a hint when the folder cannot be written or created', async () => {
    const plain = join(directory, 'plain')
    writeFileSync(plain, '')
    const places = [plain, join(plain, 'below'), ...(process.platform === 'linux' ? ['/sys/toolscope'] : [])]
    for (const place of places) {
      const store = await open(place)
      expect(store.status().error?.detail).toContain('cannot be written')
      expect(store.status().error?.hint).toContain('TOOLSCOPE_DATA_DIR')
    }
  })

  test('is off when the file is read-only', async context => {
    await (await open()).close()
    const folder = join(directory, 'read-only')
    mkdirSync(folder)
    try {
      execFileSync('mount', ['--bind', directory, folder], { stdio: 'pipe' })
      execFileSync('mount', ['-o', 'remount,ro,bind', folder], { stdio: 'pipe' })
    } catch {
      context.skip('mounting is not allowed here')
    }
    try {
      const store = await open(folder)
      expect(store.status().state).toBe('off')
      expect(store.status().error?.detail).toContain('cannot be written')
      await store.close()
    } finally {
      execFileSync('umount', ['--lazy', folder])
    }
  })
})

/** Passes the first connection on to a local port, and takes further ones without an answer until `passAll`. */
async function passFirstConnection(to: number) {
  let passed = 0
  let passesAll = false
  const sockets = new Set<Socket>()
  const proxy = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    passed += 1
    if (passed > 1 && !passesAll) return
    const target = connect(to, '127.0.0.1')
    sockets.add(target)
    target.on('error', () => {})
    socket.pipe(target).pipe(socket)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    passAll() {
      passesAll = true
    },
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe.skipIf(findPostgres() === null)('store on PostgreSQL', () => {
  let server: PostgresServer
  let store: Store | undefined
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterEach(() => store?.close())
  afterAll(() => server.stop())

  const open = (url = server.url) => openStore({ environment: {}, databaseUrl: url, say: () => undefined })

  test(
    'is off at once when the server is down at the start, and ready when it starts',
    aboutTime,
    async () => {
      await server.kill()
      const started = Date.now()
      store = await open()
      expect(Date.now() - started).toBeLessThan(5_000)
      expect(store.status().error?.detail).toContain('cannot be reached')
      expect(store.status().where).not.toContain('?')
      await server.start()
      await until(() => store?.status().state === 'ready')
      await new History(store).add(record())
      expect(await count(store)).toBe(1)
    },
  )

  test('is off when the server is lost, and has all acknowledged calls when it returns', async () => {
    store = await open()
    await clearInvocations(store, {}, true)
    const history = new History(store)
    const states: string[] = []
    store.onChange(({ kind, id }) => kind === 'status' && states.push(id))
    let acknowledged = 0
    let stop = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!stop)
        await history.add(record()).then(
          () => (acknowledged += 1),
          () => new Promise(resolve => setTimeout(resolve, 20)),
        )
    })
    await until(() => acknowledged > 50)
    await server.kill()
    await until(() => store?.status().state === 'off')
    expect(store.status().error?.detail).toContain('cannot be reached')
    await expect(listInvocations(store, {}, { limit: 1 })).rejects.toMatchObject({ code: 'store-failed' })
    await server.start()
    await until(() => store?.status().state === 'ready')
    stop = true
    await Promise.all(writers)
    await history.close()
    expect(states.slice(0, 2)).toEqual(['off', 'ready'])
    // A commit may have reached the server just before it went, without its answer reaching us.
    expect(await count(store)).toBeGreaterThanOrEqual(acknowledged)
  })

  test('stays ready when all connections are in use: the call waits in the spool', aboutTime, async () => {
    store = await open()
    await clearInvocations(store, {}, true)
    const states: string[] = []
    store.onChange(({ kind, id }) => kind === 'status' && states.push(id))
    const directory = mkdtempSync(join(tmpdir(), 'toolscope-full-pool-'))
    const history = new History(store, { dataDirectory: directory })
    let free = () => {}
    const freed = new Promise<void>(resolve => {
      free = resolve
    })
    const { max = 0 } = store.pool() ?? {}
    const database = store.database()
    const holders = Array.from({ length: max }, () => database.transaction().execute(() => freed))
    await until(() => store?.pool()?.idle === 0 && store.pool()?.open === max)
    const { events, facts } = testCall()
    for await (const _event of history.recorded(asStream(events), facts));
    await expect(listInvocations(store, {}, { limit: 1 })).rejects.toMatchObject({
      code: 'store-failed',
      detail: expect.stringContaining('all connections are in use'),
      retryAfterS: 1,
    })
    await history.flush()
    await until(() => history.backlog().spoolBytes > 0 && history.backlog().waiting === 0)
    expect([store.status().state, states]).toEqual(['ready', []])
    free()
    await Promise.all(holders)
    await until(() => history.backlog().spoolBytes === 0)
    expect(await count(store)).toBe(1)
    expect(states).toEqual([])
    await history.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('opens later if only the connection for changes does not answer in time', aboutTime, async () => {
    const proxy = await passFirstConnection(server.port)
    const url = new URL(server.url)
    url.port = String(proxy.port)
    store = await open(url.href)
    expect(store.status().error?.detail).toContain('cannot be reached')
    proxy.passAll()
    await until(() => store?.status().state === 'ready')
    await store.close()
    proxy.close()
  })

  test('reads changes whose notification was lost, and those of the time without a connection', async () => {
    store = await open()
    const other = await open()
    const heard: string[] = []
    store.onChange(({ id }) => heard.push(id))
    const writer = sql.lit('another replica')
    const body = sql.lit('[{"kind":"invocation","ids":["silent"]}]')
    await sql`insert into changes (writer, body) values (${writer}, ${body})`.execute(other.database())
    await until(() => heard.includes('silent'), 30_000)
    // Ends the connection of each replica that listens.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query not like '%pg_terminate_backend%' and application_name like 'toolscope%'`.execute(
      other.database(),
    )
    await other.write(async (_, changed) => changed({ kind: 'example', id: 'while away' }))
    await until(() => heard.includes('while away'), 30_000)
    expect(heard.filter(id => id === 'silent' || id === 'while away')).toEqual(['silent', 'while away'])
    await other.close()
  })

  test('reports a wrong password or database without the password', async () => {
    store = await open(server.url.replace('/postgres', '/nowhere').replace('toolscope@', 'toolscope:s3cret@'))
    expect(store.status().error?.detail).toContain('refuses this user, password or database')
    expect(JSON.stringify(store.status())).not.toContain('s3cret')
  })
})
