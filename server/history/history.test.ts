import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HistoryFilters } from '../../core/api/history.ts'
import { clearInvocations, eachInvocation, listInvocations, toolStats } from '../store/invocation-list.ts'
import { deleteInvocation, getInvocation, pinInvocation, pruneInvocations } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import { databases, type TestDatabase } from '../store/testkit.ts'
import { History } from './history.ts'
import { asStream, type TestCall, testCall, testTool } from './testkit.ts'

describe.each(databases)('history on $dialect', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let history: History
  beforeEach(async () => {
    database = await create()
    store = await database.open()
    history = new History(store)
  })
  afterEach(async () => {
    await history.close()
    await database.remove()
  })

  async function remember(call: TestCall = {}): Promise<string> {
    const { id, events, facts } = testCall(call)
    for await (const _event of history.recorded(asStream(events), facts));
    await history.flush()
    return id
  }

  async function idsOf(filters: HistoryFilters): Promise<string[]> {
    const { invocations } = await listInvocations(store, filters, { limit: 100 })
    return invocations.map(({ id }) => id)
  }

  test('passes a call through unchanged and stores all of it', async () => {
    const { id, events, facts } = testCall({
      logs: [
        { type: 'stderr', text: 'one\n' },
        { type: 'stderr', text: 'two\n' },
        { type: 'progress', progress: 1, total: 2 },
        { type: 'progress', progress: 2, total: 2 },
      ],
      ending: {
        structuredContent: { greeting: 'Hello \u0000 Ada' },
        raw: '{"greeting":"Hello \\u0000 Ada"}',
      },
    })
    const seen = []
    for await (const event of history.recorded(asStream(events), facts)) seen.push(event)
    expect(seen).toEqual(events)
    await history.flush()
    const stored = await getInvocation(store, id)
    expect(stored).toMatchObject({
      id,
      ref: 'acme/api greet',
      tool: 'api greet',
      source: 'acme',
      origin: 'page',
      outcome: 'ok',
      inputVerdict: 'valid',
      verdict: 'valid',
      durationMs: 12.5,
      preview: '{"name":"Ada"}',
      pinned: false,
      inputMasked: false,
      cut: [],
    })
    expect(stored?.events).toEqual([
      ...events.slice(0, 2),
      { type: 'stderr', text: 'one\ntwo\n' },
      { type: 'progress', progress: 2, total: 2 },
      events.at(-1),
    ])
    expect(stored?.startedAt).toBe((events[0] as { startedAt: string }).startedAt)
  })

  test('notifies listeners when a call starts and when its end is written', async () => {
    const told: string[] = []
    store.onChange(change => {
      if (change.kind === 'invocation') told.push(change.id)
    })
    const id = await remember()
    expect(told).toEqual([id, id])
  })

  test('filters by tool, source, outcome, verdict, origin, time, pin and words, alone and together', async () => {
    const other = { ...testTool, ref: 'shop/api greet', source: 'shop' }
    const day = Date.parse('2026-11-20T12:00:00Z')
    const ada = await remember({
      startedAt: day,
      ending: { structuredContent: { text: 'Good morning, Ada' } },
    })
    const failed = await remember({
      startedAt: day + 1000,
      input: { name: 'Grace Hopper' },
      origin: 'check',
      ending: { type: 'failure', reason: 'too-large', message: 'It was over the limit' },
    })
    const invalid = await remember({
      startedAt: day + 86_400_000,
      tool: other,
      input: { name: 'Zoë 学習' },
      ending: {
        validation: { verdict: 'invalid', issues: [] },
        content: [{ type: 'text', text: 'Bonjour' }],
      },
    })
    await pinInvocation(store, failed, true)
    const cases: [HistoryFilters, string[]][] = [
      [{}, [invalid, failed, ada]],
      [{ tool: 'acme/api greet' }, [failed, ada]],
      [{ tool: 'api greet' }, [invalid, failed, ada]],
      [{ source: 'shop' }, [invalid]],
      [{ outcome: 'ok' }, [invalid, ada]],
      [{ outcome: 'failed' }, [failed]],
      [{ outcome: 'too-large' }, [failed]],
      [{ outcome: 'timeout' }, []],
      [{ verdict: 'invalid' }, [invalid]],
      [{ origin: 'check' }, [failed]],
      [{ pinned: true }, [failed]],
      [{ pinned: false }, [invalid, ada]],
      [{ since: day + 500, until: day + 2000 }, [failed]],
      [{ since: day + 86_400_000 }, [invalid]],
      [{ text: 'morning' }, [ada]],
      [{ text: 'MORN ada' }, [ada]],
      [{ text: 'orning' }, []],
      [{ text: 'hopper limit' }, [failed]],
      [{ text: 'greet' }, [invalid, failed, ada]],
      [{ text: 'zoë' }, [invalid]],
      [{ text: '学' }, [invalid]],
      [{ text: 'bonjour', source: 'shop', verdict: 'invalid' }, [invalid]],
      [{ text: 'bonjour', source: 'acme' }, []],
      [{ text: `"' OR * ( NEAR` }, []],
      [{ text: '  ,.;  ' }, [invalid, failed, ada]],
    ]
    for (const [filters, wanted] of cases) expect([filters, await idsOf(filters)]).toEqual([filters, wanted])
  })

  test('pages newest first without gaps or repeats while new calls are added', async () => {
    const start = Date.now() - 100_000
    const ids: string[] = []
    for (let n = 0; n < 23; n += 1) ids.push(await remember({ startedAt: start + Math.floor(n / 3) * 10 }))
    for (const filters of [{}, { source: 'acme' }]) {
      const seen: string[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await listInvocations(store, filters, { limit: 5, cursor })
        seen.push(...page.invocations.map(({ id }) => id))
        const times = page.invocations.map(({ startedAt }) => startedAt)
        expect(times).toEqual([...times].sort().reverse())
        cursor = page.nextCursor
        pages += 1
        if (pages === 2) await remember({ input: { later: pages } })
      } while (cursor !== undefined)
      expect(seen.filter(id => ids.includes(id)).sort()).toEqual([...ids].sort())
    }
  })

  test('keeps all of many calls that end in the same millisecond', async () => {
    const startedAt = Date.now()
    const calls = Array.from({ length: 300 }, (_, n) => testCall({ startedAt, input: { n } }))
    await Promise.all(
      calls.map(async ({ events, facts }) => {
        for await (const _event of history.recorded(asStream(events), facts));
      }),
    )
    await history.flush()
    let count = 0
    for await (const _row of eachInvocation(store, {})) count += 1
    expect(count).toBe(300)
  })

  test('pins, unpins and deletes a call', async () => {
    const id = await remember({ ending: { structuredContent: 'needle' } })
    expect(await pinInvocation(store, id, true)).toMatchObject({ id, pinned: true })
    expect(await idsOf({ pinned: true, text: 'needle' })).toEqual([id])
    expect((await getInvocation(store, id))?.pinned).toBe(true)
    await pinInvocation(store, id, false)
    expect(await idsOf({ pinned: true })).toEqual([])
    expect(await deleteInvocation(store, id)).toBe(true)
    expect(await deleteInvocation(store, id)).toBe(false)
    expect(await pinInvocation(store, id, true)).toBe(undefined)
    expect(await idsOf({ text: 'needle' })).toEqual([])
    expect(await getInvocation(store, id)).toBe(undefined)
  })

  test('clears calls by filter, and keeps pinned calls unless asked to clear them too', async () => {
    const kept = await remember({ input: { city: 'Oslo' } })
    const pinned = await remember({ input: { city: 'Bergen' } })
    for (let n = 0; n < 5; n += 1) await remember({ input: { city: 'Bergen', n } })
    await pinInvocation(store, pinned, true)
    expect(await clearInvocations(store, { text: 'bergen' }, false)).toBe(5)
    expect(await idsOf({})).toEqual([pinned, kept])
    expect(await clearInvocations(store, {}, true)).toBe(2)
    expect(await idsOf({})).toEqual([])
  })

  test('prunes by count and by age, but keeps pinned calls', async () => {
    const now = Date.now()
    const old = await remember({ startedAt: now - 10 * 86_400_000 })
    const pinnedOld = await remember({ startedAt: now - 11 * 86_400_000 })
    await pinInvocation(store, pinnedOld, true)
    const recent: string[] = []
    for (let n = 0; n < 6; n += 1) recent.unshift(await remember({ startedAt: now - 6000 + n * 1000 }))
    expect(await pruneInvocations(store, { maxCount: 100, maxDays: 5 }, now)).toBe(1)
    expect(await idsOf({})).not.toContain(old)
    expect(await pruneInvocations(store, { maxCount: 4, maxDays: 5 }, now)).toBe(2)
    expect(await idsOf({})).toEqual([...recent.slice(0, 4), pinnedOld])
    expect(await pruneInvocations(store, { maxCount: 4, maxDays: 5 }, now)).toBe(0)
  })

  test('counts the calls of a tool and gives the percentiles of their durations', async () => {
    expect(await toolStats(store, testTool.ref)).toMatchObject({ calls: 0, failures: 0, recent: [] })
    for (let n = 1; n <= 20; n += 1)
      await remember({
        durationMs: n * 10,
        startedAt: Date.now() - 100_000 + n * 100,
        ending:
          n % 10 === 0
            ? { type: 'failure', reason: 'exit', message: '' }
            : { validation: { verdict: n % 5 === 0 ? 'invalid' : 'valid', issues: [] } },
      })
    await remember({ tool: { ...testTool, ref: 'other/x' }, durationMs: 99_999 })
    const stats = await toolStats(store, testTool.ref)
    expect(stats).toMatchObject({
      calls: 20,
      more: false,
      failures: 2,
      outputViolations: 2,
      p50Ms: 100,
      p95Ms: 190,
    })
    expect(stats.recent.map(call => call.durationMs)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n + 1) * 10),
    )
  })

  test('stores other calls when the database refuses one', async () => {
    const { events, facts, id } = testCall()
    const twice = [events, events, testCall().events]
    await Promise.all(
      twice.map(async each => {
        for await (const _event of history.recorded(asStream(each), facts));
      }),
    )
    await history.flush()
    expect(await idsOf({})).toHaveLength(2)
    expect(await idsOf({})).toContain(id)
    expect(store.status().state).toBe('ready')
  })

  test('passes a call through when the store is closed', async () => {
    await store.close()
    const { events, facts } = testCall()
    const seen = []
    for await (const event of history.recorded(asStream(events), facts)) seen.push(event)
    expect(seen).toEqual(events)
    await history.flush()
  })

  test('writes nothing when it is switched off', async () => {
    const off = new History(store, { retention: null })
    const { events, facts } = testCall()
    for await (const _event of off.recorded(asStream(events), facts));
    await off.close()
    expect(await idsOf({})).toEqual([])
  })

  test('stores a call as cancelled when its caller stops reading', async () => {
    const { id, events, facts } = testCall()
    for await (const event of history.recorded(asStream(events), facts)) if (event.type === 'started') break
    await history.flush()
    expect(await getInvocation(store, id)).toMatchObject({ outcome: 'cancelled' })
  })
})
