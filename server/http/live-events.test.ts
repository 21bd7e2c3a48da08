import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CatalogEvent, LiveChanges, SourceChanged } from '../../core/api/events.ts'
import { Emitter } from '../process/events.ts'
import type { StoreChange } from '../store/store.ts'
import { LiveEvents, type Subscription } from './live-events.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const catalog = new Emitter<CatalogEvent>()
  const changed = new Emitter<SourceChanged>()
  const notices = new Emitter<string>()
  const store = new Emitter<StoreChange>()
  const live = new LiveEvents({
    catalog: { sources: { onChange: listener => catalog.on(listener) } },
    pins: { changes: new Emitter() },
    versions: { onChanged: listener => changed.on(listener) },
    notices: { onNotice: listener => notices.on(listener) },
    store: { onChange: listener => store.on(listener) },
  })
  const call = (id: string, source = 'acme', tool = 'greet') =>
    store.emit({ kind: 'invocation', id, source, ref: `${source}/${tool}` })
  return { live, catalog, notices, call }
}

/** A page that reads its stream only on request. */
function subscribe(live: LiveEvents, subscription?: Subscription) {
  const reader = live.subscribe(subscription).getReader()
  return {
    reader,
    /** Returns the next event; undefined at the end of the stream. */
    async next(): Promise<{ id: string; changes: LiveChanges; bytes: Uint8Array } | undefined> {
      const { value, done } = await reader.read()
      if (done) return undefined
      const text = new TextDecoder().decode(value)
      const [, id = '', data = '{}'] = /^id: (.*)\nevent: changes\ndata: (.*)\n\n$/.exec(text) ?? []
      return { id, changes: JSON.parse(data), bytes: value }
    },
  }
}

it('live events: gathers a thousand calls in a second into four events, with one text for all pages', async () => {
  const { live, call } = open()
  const pages = Array.from({ length: 3 }, () => subscribe(live))
  const received: Uint8Array[][] = pages.map(() => [])
  for (const [at, page] of pages.entries()) {
    expect((await page.next())?.changes.missed).toBe(true)
    void (async () => {
      const own = received[at] ?? []
      for (let event = await page.next(); event; event = await page.next()) own.push(event.bytes)
    })()
  }
  for (let count = 0; count < 1_000; count++) {
    call(String(count))
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(received.map(own => own.length)).toEqual([4, 4, 4])
  expect(received[1]?.map((bytes, at) => bytes === received[0]?.[at])).toEqual([true, true, true, true])
  expect(live.counts()).toEqual({ pages: 3, events: 15 })
})

it('live events: sends a first change after a pause at once, with the call and its tool', async () => {
  const { live, call, catalog } = open()
  const page = subscribe(live)
  await page.next()
  call('1')
  catalog.emit({ what: 'tools', source: 'acme' })
  catalog.emit({ what: 'tools', source: 'acme' })
  await vi.advanceTimersByTimeAsync(10)
  expect((await page.next())?.changes).toEqual({
    catalog: [{ what: 'tools', source: 'acme' }],
    store: [{ kind: 'invocation', source: 'acme', ref: 'acme/greet', ids: ['1'] }],
    readWithinMs: 40,
  })
})

it('live events: give a slow page one event with all that it missed', async () => {
  const { live, call, notices } = open()
  const page = subscribe(live)
  await page.next()
  notices.emit('first')
  for (let count = 0; count < 40; count++) {
    call(String(count), 'acme', `tool-${count % 2}`)
    await vi.advanceTimersByTimeAsync(300)
  }
  // The one that waited in the stream.
  expect((await page.next())?.changes.notices).toEqual(['first'])
  expect((await page.next())?.changes.store).toEqual([
    { kind: 'invocation', source: 'acme', ref: 'acme/tool-1' },
    { kind: 'invocation', source: 'acme', ref: 'acme/tool-0' },
  ])
  call('last')
  await vi.advanceTimersByTimeAsync(300)
  expect((await page.next())?.changes.store?.[0]?.ids).toEqual(['last'])
})

it('live events: give a page that was away what it missed, or say that they do not know it', async () => {
  const { live, call } = open()
  const page = subscribe(live)
  const after = (await page.next())?.id
  await page.reader.cancel()
  expect(live.counts().pages).toBe(0)
  call('while away')
  await vi.advanceTimersByTimeAsync(300)
  const again = subscribe(live, { after })
  expect((await again.next())?.changes.store?.[0]?.ids).toEqual(['while away'])
  for (const unknown of ['other.1', `${after?.split('.')[0]}.99`, 'x'])
    expect((await subscribe(live, { after: unknown }).next())?.changes.missed).toBe(true)
  for (let count = 0; count < 200; count++) {
    call(String(count))
    await vi.advanceTimersByTimeAsync(300)
  }
  expect((await subscribe(live, { after }).next())?.changes.missed).toBe(true)
})

it('live events: name sources instead of tools if many tools change', async () => {
  const { live, call } = open()
  const page = subscribe(live)
  await page.next()
  for (let count = 0; count < 200; count++) call(String(count), `source-${count % 3}`, `tool-${count}`)
  await vi.advanceTimersByTimeAsync(300)
  expect((await page.next())?.changes.store).toEqual(
    [0, 1, 2].map(at => ({ kind: 'invocation', source: `source-${at}` })),
  )
})

it('live events: a page receives only what its user may see', async () => {
  const { live, call, catalog, notices } = open()
  const page = subscribe(live, { sees: source => source === 'github' })
  await page.next()
  call('1')
  catalog.emit({ what: 'tools', source: 'acme' })
  notices.emit('acme failed')
  await vi.advanceTimersByTimeAsync(300)
  call('2', 'github')
  call('3')
  await vi.advanceTimersByTimeAsync(300)
  const { readWithinMs: _, ...changes } = (await page.next())?.changes ?? { readWithinMs: 0 }
  expect(changes).toEqual({
    store: [{ kind: 'invocation', source: 'github', ref: 'github/greet', ids: ['2'] }],
  })
})

it('live events: end a stream when its signal aborts, and all when they close', async () => {
  const { live } = open()
  const ending = new AbortController()
  const [one, two] = [subscribe(live, { signal: ending.signal }), subscribe(live)]
  for (const page of [one, two]) await page.next()
  ending.abort()
  expect(await one.next()).toBeUndefined()
  expect(live.counts().pages).toBe(1)
  live.close()
  expect(await two.next()).toBeUndefined()
  expect(live.counts().pages).toBe(0)
})
