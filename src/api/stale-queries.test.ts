import { expect, it } from 'vitest'
import type { CatalogEvent, StoreEvent } from '../../core/api/events.ts'
import { isStale, isStaleInStore } from './stale-queries.ts'

const hash = '1f3a'.repeat(10)
const tools = (source: string): CatalogEvent => ({ what: 'tools', source })
const states = (source: string): CatalogEvent => ({ what: 'sources', source })
const agents = (source: string): CatalogEvent => ({ what: 'agents', source })

it.each<[string, readonly unknown[], unknown, CatalogEvent, boolean]>([
  ['the list of sources with a state', ['sources'], [], states('a'), true],
  ['the list of sources with tools', ['sources'], [], tools('a'), false],
  ['agents with agents', ['agents'], [], agents('a'), true],
  ['agents with a state', ['agents'], [], states('a'), false],
  ['rows of all sources', ['rows', { source: [] }], {}, tools('a'), true],
  ['rows that include the source', ['rows', { source: ['a', 'b'] }], {}, tools('a'), true],
  ['rows of another source', ['rows', { source: ['b'] }], {}, tools('a'), false],
  ['rows with a state', ['rows', { source: [] }], {}, states('a'), true],
  ['rows of another source with a state', ['rows', { source: ['b'] }], {}, states('a'), false],
  ['a search', ['search', 'x'], {}, tools('a'), true],
  ['a tool of the source', ['tool', 'a/x'], { source: 'a' }, tools('a'), true],
  ['a tool of another source', ['tool', 'b/x'], { source: 'b' }, tools('a'), false],
  ['a tool that was not found', ['tool', 'a/y'], undefined, tools('b'), true],
  ['a prompt of another source', ['prompt', { sources: ['b'] }], {}, tools('a'), false],
  ['versions of the source', ['versions', 'a', null, 20], {}, tools('a'), true],
  ['versions of another source', ['versions', 'b', null, 20], {}, tools('a'), false],
  ['changes of all sources', ['versions', '*', 'a@1'], {}, tools('b'), true],
  ['a diff of two frozen versions', ['diff', 'a@1', 'a@2'], {}, tools('a'), false],
  ['a diff of two frozen versions after a gap', ['diff', 'a@1', `git:${hash}:t.json`], {}, tools('*'), false],
  ['a diff with the open source', ['diff', 'a@1', 'a'], {}, tools('a'), true],
  ['a diff with a version by label', ['diff', 'a@latest', 'a@1'], {}, tools('a'), true],
  ['a diff with another open source', ['diff', 'b', 'b@1'], { a: { source: 'b' } }, tools('a'), false],
  ['a diff with a file', ['diff', 'tools.json', 'b@1'], { a: { label: 'tools.json' } }, tools('a'), true],
  ['a diff with a state', ['diff', 'a', 'a@1'], {}, states('a'), false],
  ['the states of all pins', ['pins'], {}, tools('a'), true],
  ['the review of the source', ['pins', 'a'], {}, tools('a'), true],
  ['the review of another source', ['pins', 'b'], {}, tools('a'), false],
  ['every tool after a gap', ['tool', 'b/x'], { source: 'b' }, tools('*'), true],
])('isStale: decides whether to reload %s: %j', (_, parts, data, event, expected) => {
  expect(isStale({ queryKey: ['catalog', ...parts], state: { data } }, event)).toBe(expected)
})

const called: StoreEvent = { kind: 'invocation', source: 'a', ref: 'a/x', ids: ['1'] }
const calls: StoreEvent = { kind: 'invocation' }

it.each<[string, readonly unknown[], StoreEvent, boolean]>([
  ['the newest calls', ['history', 'recent'], called, true],
  ['all calls', ['history', 'list', {}], called, true],
  ['calls of the source', ['history', 'list', { source: 'a' }], called, true],
  ['calls of another source', ['history', 'list', { source: 'b' }], called, false],
  ['calls of another source after many changes', ['history', 'list', { source: 'b' }], calls, true],
  ['calls of the tool', ['history', 'list', { tool: 'a/x' }], called, true],
  ['calls of a tool of that name', ['history', 'list', { tool: 'x' }], called, true],
  ['calls of a name with two tools', ['history', 'list', { tool: 'x' }], { ...called, ref: 'a/x~2' }, true],
  ['calls of another tool', ['history', 'list', { tool: 'y' }], called, false],
  ['the call', ['history', 'call', '1'], called, true],
  ['another call', ['history', 'call', '2'], called, false],
  ['a call after many changes', ['history', 'call', '2'], calls, true],
  ['statistics of the tool', ['history', 'stats', 'a/x'], called, true],
  ['statistics of another tool', ['history', 'stats', 'a/y'], called, false],
  ['examples after a call', ['examples', 'a/x'], called, false],
  ['examples of the tool', ['examples', 'a/x'], { kind: 'example', source: 'a', ref: 'a/x' }, true],
  ['examples of another tool', ['examples', 'a/y'], { kind: 'example', source: 'a', ref: 'a/x' }, false],
  ['versions of the source', ['catalog', 'versions', 'a'], { kind: 'snapshot', source: 'a' }, true],
  ['versions of another source', ['catalog', 'versions', 'b'], { kind: 'snapshot', source: 'a' }, false],
  ['changes of all sources', ['catalog', 'versions', '*'], { kind: 'snapshot', source: 'a' }, true],
  ['the list of sources', ['catalog', 'sources'], { kind: 'snapshot', source: 'a' }, false],
  ['the state of the store', ['store-state'], { kind: 'status', ids: ['off'] }, true],
])('isStaleInStore: decides whether to reload %s: %j', (_, queryKey, event, expected) => {
  expect(isStaleInStore({ queryKey, state: {} }, event)).toBe(expected)
})
