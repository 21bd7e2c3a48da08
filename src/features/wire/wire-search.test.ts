import { expect, it } from 'vitest'
import { toWireQuery } from './wire-query.ts'
import { parseWireSearch } from './wire-search.ts'

it('parseWireSearch: keeps what it knows and drops everything else', () => {
  const known = {
    source: 'a',
    call: 'c',
    text: 'x',
    direction: 'sent',
    kind: 'stderr',
    only: 'errors',
    message: '12',
  }
  expect(parseWireSearch(known)).toEqual(known)
  const unknown = { direction: 'up', kind: 'HTTP', only: '', message: '0', text: '', source: 5, more: '1' }
  expect(parseWireSearch(unknown)).toEqual({})
})

it('toWireQuery: a kind is one of JSON-RPC or a part, and the open message is not a filter', () => {
  const search = parseWireSearch({ source: 'a', call: 'c', message: '3', kind: 'result' })
  expect(toWireQuery(search)).toEqual({ callId: 'c', kind: 'result' })
  expect(toWireQuery(parseWireSearch({ kind: 'end', text: 'b' }))).toEqual({ part: 'end', text: 'b' })
})
