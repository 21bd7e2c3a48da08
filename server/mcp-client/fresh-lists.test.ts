import { afterEach, expect, test, vi } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import type { Session } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { FreshLists } from './fresh-lists.ts'

const fixture = resolveInRepository('server/sources/fixtures/mcp-skills.mjs')
const opened: Session[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map(session => session.close()))
})

async function open(words: readonly string[], changed?: () => void): Promise<Session> {
  const context = changed === undefined ? testContext : { ...testContext, changed }
  const session = await openSource(['mcp:', process.execPath, fixture, ...words], context)
  opened.push(session)
  return session
}

/** How often the server was asked for each list. */
async function countAsked(session: Session): Promise<Readonly<Record<string, number>>> {
  const { ending } = await callAndWait(session, { name: 'asked', inputSchema: true }, {})
  const [block] = ending.content
  return JSON.parse(block?.type === 'text' ? block.text : '{}')
}

test('fresh lists: are asked for again only by a full reading, or after the server reports a change', async () => {
  let changes = 0
  const session = await open(['--ttl', '300000'], () => changes++)
  const first = await session.manifest(neverAborted())
  expect(session.about?.().freshness).toEqual({ ttlMs: 300_000, cacheScope: 'private' })
  const once = await countAsked(session)
  expect(await session.manifest(neverAborted(), 'expired')).toBe(first)
  expect(await countAsked(session)).toEqual(once)
  await session.manifest(neverAborted())
  const twice = await countAsked(session)
  expect(twice).toEqual(
    Object.fromEntries(Object.entries(once).map(([method, count]) => [method, 2 * count])),
  )
  await callAndWait(session, await toolNamed(session, 'change-tools'), {})
  const before = await countAsked(session)
  await until(() => changes > 0)
  await session.manifest(neverAborted(), 'expired')
  expect(await countAsked(session)).toEqual({ ...before, 'tools/list': (before['tools/list'] ?? 0) + 1 })
})

test('fresh lists: without a time, or in the legacy era, each reading asks', async () => {
  for (const words of [[], ['--legacy', '--ttl', '300000']]) {
    const session = await open(words)
    await session.manifest(neverAborted())
    const { 'tools/list': once = 0 } = await countAsked(session)
    await session.manifest(neverAborted(), 'expired')
    expect(await countAsked(session)).toMatchObject({ 'tools/list': once + 1 })
  }
})

test('fresh lists: expire with their time, and a look asks at most every 30 s', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const lists = new FreshLists()
  let asked = 0
  const read = (ttlMs: number) =>
    lists.read('tools/list', async () => {
      asked += 1
      return { result: asked, freshness: { ttlMs, cacheScope: 'private' } }
    })
  expect(await read(60_000)).toBe(1)
  vi.advanceTimersByTime(59_999)
  expect([await read(60_000), lists.hasExpired]).toEqual([1, false])
  vi.advanceTimersByTime(1)
  expect(lists.hasExpired).toBe(true)
  expect(await read(0)).toBe(2)
  expect(lists.hasExpired).toBe(false)
  expect(await read(0)).toBe(3)
  vi.advanceTimersByTime(30_000)
  expect(lists.hasExpired).toBe(true)
})

test('fresh lists: a change during a reading is not missed', async () => {
  const lists = new FreshLists()
  const freshness = { ttlMs: 60_000, cacheScope: 'public' } as const
  let asked = 0
  const read = () =>
    lists.read('tools/list', async () => {
      asked += 1
      if (asked === 1) lists.expire(['tools/list'])
      return { result: asked, freshness }
    })
  expect([await read(), await read(), await read()]).toEqual([1, 2, 2])
})
