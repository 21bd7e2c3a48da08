import { describe, expect, it } from 'vitest'
import { historyEndpoints } from '../../../core/api/history.ts'
import { isFiltered, parseHistorySearch, toHistoryQuery } from './history-search.ts'

describe('parseHistorySearch', () => {
  it('keeps known values and leaves out the rest', () => {
    const place = { tool: 'acme/api greet', outcome: 'failed', age: '7d', call: 'abc' }
    expect(
      parseHistorySearch({ ...place, verdict: 'splendid', origin: 7, nonsense: 'x', pinned: 'no' }),
    ).toEqual(place)
  })
})

describe('toHistoryQuery', () => {
  it('returns a query that the route accepts, without the open call', () => {
    const place = parseHistorySearch({
      tool: 'acme/api greet',
      verdict: 'no schema',
      origin: 'command line',
      age: '1h',
      pinned: 'yes',
      call: 'abc',
    })
    const query = toHistoryQuery(place, Date.parse('2026-11-21T10:00:42.500Z'))
    expect(query).toEqual({
      tool: 'acme/api greet',
      verdict: 'no schema',
      origin: 'command line',
      since: '2026-11-21T09:00:00.000Z',
      pinned: 'true',
    })
    expect(historyEndpoints['GET /api/history'].query.safeParse(query).success).toBe(true)
  })
})

describe('isFiltered', () => {
  it('does not count the open call as a filter', () => {
    expect(isFiltered({ call: 'a', with: 'b' })).toBe(false)
    expect(isFiltered({ call: 'a', text: 'Ada' })).toBe(true)
  })
})
