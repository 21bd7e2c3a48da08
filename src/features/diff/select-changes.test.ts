import { expect, it } from 'vitest'
import type { Change } from '../../../core/diff/change.ts'
import { kindsOf } from './change-kind.ts'
import { type ChangeFilter, filterChanges, groupChanges, rowsOf } from './select-changes.ts'

const change = (fingerprint: string, more: Partial<Change> = {}): Change => ({
  fingerprint,
  rule: 'maximum-lowered',
  severity: 'info',
  direction: 'input',
  tool: 'deploy',
  path: '/batch',
  message: 'maximum lowered: 100 → 50',
  ...more,
})
const all: ChangeFilter = { kinds: [], direction: undefined, tool: undefined, text: '' }
const changes = [
  change('1', { strict: 'proved' }),
  change('2', { severity: 'breaking', strict: 'refuted' }),
  change('3', { severity: 'warning', strict: 'unknown', tool: '__proto__' }),
  change('4', { direction: 'text', tool: 'logs', words: [{ kind: 'added', text: 'Call ops auth first' }] }),
]
const folded = change('5', { tools: ['deploy', 'logs'] })
const ids = (list: readonly Change[]) => list.map(each => each.fingerprint).join('')
const find = (filter: Partial<ChangeFilter>) =>
  ids(filterChanges([...changes, folded], { ...all, ...filter }))

it('counts a change as each kind that it is', () => {
  expect(changes.map(kindsOf)).toEqual([['proved'], ['breaking'], ['warning', 'undecided'], ['info']])
})

it('filters by kind, direction, tool and every word of a text', () => {
  expect(find({})).toBe('12345')
  expect(find({ kinds: ['breaking', 'undecided'] })).toBe('23')
  expect(find({ direction: 'text' })).toBe('4')
  expect(find({ tool: 'logs' })).toBe('45')
  expect(find({ text: 'AUTH ops' })).toBe('4')
  expect(find({ text: 'nothing like it' })).toBe('')
})

it('groups by tool, the worst first, and what was folded last', () => {
  const groups = groupChanges([
    folded,
    ...changes,
    change('6', { direction: 'tool', tool: undefined as never }),
  ])
  expect(groups.map(group => [group.title, ids(group.changes)])).toEqual([
    ['deploy', '21'],
    ['__proto__', '3'],
    ['logs', '4'],
    ['The manifest itself', '6'],
    ['Across 2 tools', '5'],
  ])
})

it('draws a heading, the open schemas and the changes, numbered through', () => {
  const rows = rowsOf(groupChanges(changes), 'deploy')
  expect(rows.map(row => (row.kind === 'change' ? row.ordinal : row.kind))).toEqual([
    'heading',
    'schemas',
    0,
    1,
    'heading',
    2,
    'heading',
    3,
  ])
  expect(new Set(rows.map(row => row.key)).size).toBe(rows.length)
})
