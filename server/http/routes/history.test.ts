import type { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HistoryPage, StoredInvocation, StoreState, ToolStats } from '../../../core/api/history.ts'
import { History } from '../../history/history.ts'
import { asStream, testCall, testTool } from '../../history/testkit.ts'
import type { Store } from '../../store/store.ts'
import { sqlite, type TestDatabase } from '../../store/testkit.ts'
import { callRows } from '../../store/word-search.ts'
import { createHono } from '../serve-endpoints.ts'
import { historyRoutes } from './history.ts'

describe('/api/history', () => {
  let database: TestDatabase
  let store: Store
  let app: Hono
  const ids: string[] = []
  beforeEach(async () => {
    database = await sqlite.create()
    store = await database.open()
    app = createHono()
    app.route('/', historyRoutes(store))
    app.get('/api/tools/:ref{.+}', context => context.json({ detail: context.req.param('ref') }))
    const history = new History(store)
    ids.length = 0
    for (const name of ['Ada', 'Grace', 'Barbara']) {
      const { id, events, facts } = testCall({ input: { name }, startedAt: Date.now() - 1000 + ids.length })
      for await (const _event of history.recorded(asStream(events), facts));
      ids.unshift(id)
    }
    await history.close()
  })
  afterEach(() => database.remove())

  async function get<T>(path: string): Promise<T> {
    const answer = await app.request(path)
    expect(answer.status).toBe(200)
    return (await answer.json()) as T
  }

  test('lists page by page and filters', async () => {
    const first = await get<HistoryPage>('/api/history?limit=2')
    expect(first.invocations.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await get<HistoryPage>(`/api/history?limit=2&cursor=${first.nextCursor}`)
    expect(second.invocations.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(second.nextCursor).toBe(undefined)
    expect((await get<HistoryPage>('/api/history?text=grac')).invocations).toHaveLength(1)
    expect((await get<HistoryPage>('/api/history?since=2030-01-01')).invocations).toEqual([])
  })

  test('refuses an invalid filter and names it', async () => {
    for (const query of [
      'since=yesterday',
      'verdict=fine',
      'limit=0',
      'pinned=maybe',
      'since=2026-02-31T99:00:00Z',
    ]) {
      const answer = await app.request(`/api/history?${query}`)
      expect([query, answer.status]).toEqual([query, 400])
      expect(await answer.text()).toContain(query.split('=')[0])
    }
  })

  test('reads, pins and deletes a call, and answers 404 for a missing one', async () => {
    const [id = ''] = ids
    expect(await get<StoredInvocation>(`/api/history/${id}`)).toMatchObject({
      id,
      inputText: '{"name":"Barbara"}',
    })
    const pinned = await app.request(`/api/history/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"pinned":true}',
    })
    expect(await pinned.json()).toMatchObject({ id, pinned: true })
    expect(await (await app.request('/api/history', { method: 'DELETE' })).json()).toEqual({ deleted: 2 })
    expect(await (await app.request(`/api/history/${id}`, { method: 'DELETE' })).json()).toEqual({
      deleted: 1,
    })
    for (const method of ['GET', 'DELETE'])
      expect((await app.request(`/api/history/${id}`, { method })).status).toBe(404)
  })

  test('exports JSON Lines with one whole call per line, of those that the filter names', async () => {
    const exported = async (query: string) => {
      const answer = await app.request(`/api/history/export${query}`)
      expect(answer.headers.get('content-type')).toContain('jsonl')
      const lines = (await answer.text()).trimEnd().split('\n')
      return lines.map(line => JSON.parse(line) as StoredInvocation)
    }
    expect((await exported('?text=grac')).map(({ inputText }) => inputText)).toEqual(['{"name":"Grace"}'])
    const lines = await exported('')
    expect(lines.map(({ id }) => id)).toEqual(ids)
    expect(lines[0]?.events.map(({ type }) => type)).toEqual(['started', 'input-validation', 'result'])
  })

  test('history export: skips a call that cannot be decoded, and says so in the last line', async () => {
    const [, damaged = ''] = ids
    const { seq } = await callRows(store).select('seq').where('id', '=', damaged).executeTakeFirstOrThrow()
    const result = Buffer.from('damaged')
    await store.database().updateTable('invocation_bodies').set({ result }).where('seq', '=', seq).execute()
    const text = await (await app.request('/api/history/export')).text()
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as StoredInvocation | { skipped: number })
    expect(lines).toMatchObject([{ id: ids[0] }, { id: ids[2] }, { skipped: 1 }])
  })

  test('gives the statistics of a tool by encoded reference; other paths stay tools', async () => {
    const stats = await get<ToolStats>(`/api/tools/${encodeURIComponent(testTool.ref)}/stats`)
    expect(stats).toMatchObject({ ref: testTool.ref, calls: 3 })
    expect(await get('/api/tools/acme/stats')).toEqual({ detail: 'acme/stats' })
    expect(await get('/api/tools/acme/a/stats')).toEqual({ detail: 'acme/a/stats' })
    expect(await get(`/api/tools/${encodeURIComponent('acme/stats')}`)).toEqual({ detail: 'acme/stats' })
  })

  test('says where the store is, and answers 503 when it is closed', async () => {
    expect(await get<StoreState>('/api/store')).toMatchObject({ state: 'ready', kind: 'sqlite' })
    await store.close()
    for (const path of ['/api/history', '/api/history/export', '/api/history/x'])
      expect([path, (await app.request(path)).status]).toEqual([path, 503])
  })
})
