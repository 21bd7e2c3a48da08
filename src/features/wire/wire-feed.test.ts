import { describe, expect, it } from 'vitest'
import type { WirePage, WireRow } from '../../../core/api/wire.ts'
import { addPage, startAgain, type WireState } from './wire-feed.ts'

const row = (seq: number, more: Partial<WireRow> = {}): WireRow => ({
  seq,
  atMs: seq,
  direction: 'sent',
  part: 'message',
  bytes: 2,
  preview: '{}',
  ...more,
})

const page = (rows: readonly WireRow[], more: Partial<WirePage> = {}): WirePage => ({
  rows: [...rows],
  hasBefore: false,
  hasAfter: false,
  firstSeq: 1,
  lastSeq: rows.at(-1)?.seq ?? 0,
  total: rows.length,
  matches: rows.length,
  dropped: 0,
  isPaused: false,
  startedAt: '2026-11-28T00:00:00.000Z',
  ...more,
})

const empty: WireState = { rows: [], missing: 0 }

describe('addPage', () => {
  it('counts the older rows that the page does not have yet', () => {
    const state = addPage(empty, page([row(9), row(10)], { matches: 10 }))
    expect([state.rows.length, state.missing]).toEqual([2, 8])
  })

  it('gives the row of a request its answer and its latency', () => {
    const first = addPage(empty, page([row(1, { kind: 'request', id: '1' }), row(2)]))
    const next = addPage(first, page([row(3, { kind: 'result', id: '1', pairSeq: 1, latencyMs: 4 })]))
    expect(next.rows[0]).toMatchObject({ pairSeq: 3, latencyMs: 4 })
    // A row that does not change is not drawn again.
    expect(next.rows[1]).toBe(first.rows[1])
  })

  it('drops the rows that the server dropped', () => {
    const first = addPage(empty, page([row(1), row(2), row(3)]))
    const next = addPage(first, page([row(4)], { firstSeq: 3, matches: 2 }))
    expect(next.rows.map(({ seq }) => seq)).toEqual([3, 4])
    expect(next.missing).toBe(0)
  })
})

describe('startAgain', () => {
  it('has the rows of the new filters, and the same object for a row that is unchanged', () => {
    const first = addPage(empty, page([row(1), row(2), row(4, { violations: [] })]))
    const changed = { pairSeq: 5, latencyMs: 3 }
    const next = startAgain(first, page([row(2), row(3), row(4, changed)], { matches: 7 }))
    expect(next.rows).toEqual([row(2), row(3), row(4, changed)])
    expect(next.rows[0]).toBe(first.rows[1])
    expect(next.missing).toBe(4)
  })
})
