import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eachInvocation, listInvocations } from '../store/invocation-list.ts'
import { getInvocation } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import { sqlite, type TestDatabase } from '../store/testkit.ts'
import { bundle, runAndKill } from './bundle.testkit.ts'
import { History } from './history.ts'
import { Spool } from './spool.ts'
import { asStream, testCall } from './testkit.ts'

let database: TestDatabase
let store: Store
const said: string[] = []

beforeEach(async () => {
  database = await sqlite.create()
  store = await database.open()
  said.length = 0
})
afterEach(() => database.remove())

const open = (from = store) =>
  new History(from, { dataDirectory: database.directory, say: line => said.push(line) })

/** Calls as fast as they come; returns their ids in order. */
async function callMany(history: History, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { id, events, facts } = testCall({
      input: { n, pin: 'pin-s3cret' },
      startedAt: 1_700_000_000_000 + n * 1000,
    })
    for await (const _event of history.recorded(asStream(events), facts));
    ids.push(id)
  }
  return ids
}

async function idsOf(from: Store): Promise<string[]> {
  const found: string[] = []
  for await (const { id, outcome } of eachInvocation(from, {})) if (outcome === 'ok') found.unshift(id)
  return found
}

function spoolFiles(): string[] {
  const names = readdirSync(database.directory, { recursive: true, encoding: 'utf8' })
  return names.filter(name => name.endsWith('.jsonl')).map(name => join(database.directory, name))
}

const spooledText = () =>
  spoolFiles()
    .map(file => readFileSync(file, 'utf8'))
    .join('')

const full = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(store.database())

describe('history spool', () => {
  test('keeps calls without their secrets while the disk is full, and writes them in order later', async () => {
    const history = open()
    await full(1)
    const ids = await callMany(history, 30)
    await history.flush()
    expect(store.status().state).toBe('off')
    for (const file of spoolFiles()) {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    }
    expect(spooledText()).toContain(ids.at(-1) ?? 'no id')
    expect(spooledText()).not.toContain('s3cret')
    await full(100_000)
    await history.recover()
    expect(await idsOf(store)).toEqual(ids)
    expect(spoolFiles()).toEqual([])
    await history.close()
  })

  test('is written to the store by the next program when this one ends during the outage', async () => {
    const first = open()
    await full(1)
    const ids = await callMany(first, 30)
    await first.close()
    await store.close()
    store = await database.open()
    const second = open()
    await second.recover()
    expect(await idsOf(store)).toEqual(ids)
    expect(spoolFiles()).toEqual([])
    await second.close()
  })

  test('refuses more calls at its size limit, and says so', async () => {
    const spool = new Spool({ dataDirectory: database.directory, where: 'x', maxBytes: 2_000 })
    const lines = Array.from({ length: 20 }, () => spool.append([{ ref: 'x'.repeat(200) } as never]))
    expect(lines.at(0)).toBeUndefined()
    expect(lines.at(-1)).toMatch(/is full/)
    expect(spoolFiles().reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(2_000)
  })

  test('neither loses nor repeats calls when two programs write it to the store at once', async () => {
    const history = open()
    await full(1)
    const ids = await callMany(history, 40)
    await history.flush()
    await full(100_000)
    const other = open(await database.open())
    await Promise.all([history.recover(), other.recover(), callMany(other, 3)])
    await history.recover()
    expect((await idsOf(store)).filter(id => ids.includes(id))).toEqual(ids)
    await other.close()
    await history.close()
  })

  test('ignores lines of other versions and half lines', async () => {
    const history = open()
    await full(1)
    const ids = await callMany(history, 30)
    await history.flush()
    const [file = ''] = spoolFiles()
    appendFileSync(file, '{"id":7}\nnull\n[]\n{"id":"half')
    await full(100_000)
    await history.recover()
    expect(await idsOf(store)).toEqual(ids)
    expect(spoolFiles()).toEqual([])
    await history.close()
  })
})

describe('history spool of running calls', () => {
  const place = () => ({ dataDirectory: database.directory, where: 'x' })
  const recordOf = (id: string) => ({ id }) as never

  test('empties the file of a call after it, reuses it, and removes it when it closes', () => {
    const spool = new Spool(place())
    const removes = ['a', 'b'].map(id => spool.addAlone(recordOf(id)))
    for (const remove of removes) remove?.()
    expect([spoolFiles().length, spooledText()]).toEqual([2, ''])
    const removeNext = spool.addAlone(recordOf('c'))
    expect([spoolFiles().length, spooledText()]).toEqual([2, '{"id":"c"}\n'])
    removeNext?.()
    spool.close()
    expect(spoolFiles()).toEqual([])
  })

  test('removes only one call when that call is removed twice', () => {
    const spool = new Spool(place())
    const removeFirst = spool.addAlone(recordOf('a'))
    removeFirst?.()
    const removeNext = spool.addAlone(recordOf('b'))
    removeFirst?.()
    expect(spooledText()).toBe('{"id":"b"}\n')
    spool.addAlone(recordOf('c'))
    expect(spoolFiles()).toHaveLength(2)
    removeNext?.()
    expect(spooledText()).toBe('{"id":"c"}\n')
  })

  test('keeps a call although another program has drained the file that would be reused', async () => {
    const spool = new Spool(place())
    spool.addAlone(recordOf('a'))?.()
    const drained: unknown[] = []
    const drain = () => new Spool(place()).drain(async records => void drained.push(...records))
    await drain()
    expect([spoolFiles(), drained]).toEqual([[], []])
    const remove = spool.addAlone(recordOf('b'))
    expect(spooledText()).toBe('{"id":"b"}\n')
    await drain()
    expect(drained).toEqual([{ id: 'b' }])
    remove?.()
    expect(spoolFiles()).toEqual([])
  })

  test('keeps each running call as unfinished after kill -9', async () => {
    const program = await bundle('./hanging-calls.fixture-program.ts')
    try {
      const { lines, stderr } = await runAndKill(program, database.environment, 0)
      expect(stderr).toBe('')
      expect(lines).toHaveLength(5)
      const history = open()
      await history.recover()
      await history.close()
      for (const id of lines)
        expect(await getInvocation(store, id)).toMatchObject({
          outcome: 'unfinished',
          inputText: '{"name":"Ada"}',
        })
      const { invocations } = await listInvocations(store, { outcome: 'unfinished' }, { limit: 10 })
      expect(invocations).toHaveLength(5)
      expect((await listInvocations(store, { outcome: 'failed' }, { limit: 10 })).invocations).toEqual([])
    } finally {
      rmSync(program, { force: true })
    }
  })

  test('keeps each running call as cancelled when the program exits', async () => {
    const program = await bundle('./hanging-calls.fixture-program.ts')
    try {
      const child = spawn(process.execPath, [program, 'exit'], {
        env: { ...process.env, ...database.environment },
      })
      await new Promise(resolve => child.once('close', resolve))
      const history = open()
      await history.recover()
      const { invocations } = await listInvocations(store, { outcome: 'cancelled' }, { limit: 10 })
      expect(invocations).toHaveLength(5)
      await history.close()
    } finally {
      rmSync(program, { force: true })
    }
  })
})
