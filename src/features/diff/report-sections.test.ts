import { expect, it } from 'vitest'
import type { Change } from '../../../core/diff/change.ts'
import { summarizeRules } from '../../../core/report/diff-summary.ts'
import {
  buildDiffRows,
  type ChangeFilter,
  filterChanges,
  groupIds,
  groupIntoSections,
} from './report-sections.ts'

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
const { tool: _, ...ofNoTool } = change('')
const changes: readonly Change[] = [
  change('1', { strict: 'proved' }),
  change('2', { severity: 'breaking', strict: 'refuted' }),
  change('3', { severity: 'warning', tool: '__proto__' }),
  change('4', {
    rule: 'description-changed',
    tool: 'logs',
    words: [{ kind: 'added', text: 'Call ops auth' }],
  }),
  { ...ofNoTool, fingerprint: '5', strict: 'proved', rule: 'generator-form', tools: ['deploy', 'logs'] },
  change('6', { rule: 'tool-removed', direction: 'tool', severity: 'breaking', tool: 'old' }),
  change('7', { rule: 'tool-added', direction: 'tool', tool: 'new' }),
  change('8', { rule: 'tool-renamed', direction: 'tool', severity: 'breaking', tool: 'b', before: 'a' }),
  change('9', { tool: 'b' }),
]
const bulk: Change = {
  ...ofNoTool,
  fingerprint: 'b',
  rule: 'tool-renamed',
  direction: 'tool',
  severity: 'breaking',
  message: '2 tools renamed: “-” → “_”',
  tools: ['x_y', 'v_w'],
  before: ['x-y', 'v-w'],
  after: ['x_y', 'v_w'],
}
const all: ChangeFilter = { severities: [], tool: undefined, text: '' }
const ids = (list: readonly Change[]) => list.map(each => each.fingerprint).join('')
const find = (filter: Partial<ChangeFilter>) => ids(filterChanges(changes, { ...all, ...filter }))

it('filterChanges: filters by severity, by tool and by every word of a text', () => {
  expect(find({})).toBe('123456789')
  expect(find({ severities: ['breaking', 'warning'] })).toBe('2368')
  expect(find({ tool: 'logs' })).toBe('45')
  expect(find({ text: 'OPS auth' })).toBe('4')
  expect(find({ text: 'nothing like it' })).toBe('')
})

it('groupIntoSections: puts each tool into one group, the worst first, with the renames that break callers', () => {
  const sections = groupIntoSections(changes)
  expect(sections.map(({ group, kind, title }) => [group, kind, title])).toEqual([
    ['breaking', 'changed', 'deploy'],
    ['breaking', 'removed', 'old'],
    ['breaking', 'changed', 'b'],
    ['look', 'changed', '__proto__'],
    ['compatible', 'shared', 'Same change in several tools'],
    ['info', 'changed', 'logs'],
    ['added', 'added', 'new'],
  ])
  expect(sections.map(each => groupIds.indexOf(each.group))).toEqual([0, 0, 0, 1, 2, 3, 5])
  expect(sections.find(each => each.tool === 'b')?.renamedFrom).toBe('a')
  expect(sections.flatMap(each => each.changes)).toHaveLength(changes.length)
})

it('groupIntoSections: shows a bulk rename once, and each tool under its new name', () => {
  const [broken, renames] = groupIntoSections([bulk, change('1', { tool: 'v_w', severity: 'breaking' })])
  expect(broken).toMatchObject({ group: 'breaking', title: 'v_w', renamedFrom: 'v-w' })
  expect(renames).toMatchObject({ group: 'breaking', kind: 'renames', title: '2 tools renamed: “-” → “_”' })
})

it('groupIntoSections: puts renames that the team rules do not call breaking into a group of their own', () => {
  const [rename] = changes.filter(each => each.rule === 'tool-renamed')
  const harmless = [{ ...rename, severity: 'info' } as Change, change('9', { tool: 'b' })]
  expect(groupIntoSections(harmless)).toMatchObject([{ group: 'renamed', tool: 'b', renamedFrom: 'a' }])
  expect(groupIntoSections([{ ...bulk, severity: 'warning' }])).toMatchObject([{ group: 'renamed' }])
})

it('buildDiffRows: folds what no caller meets into one row, and numbers the rows that keys go to', () => {
  const options = { schemasOf: 'deploy', open: new Set<string>(), isAllOpen: false }
  const drawn = (rows: ReturnType<typeof buildDiffRows>) =>
    rows.map(row => ('stop' in row ? `${row.kind} ${row.stop}` : row.kind))
  const sections = groupIntoSections(changes.slice(0, 4).concat(changes.slice(6, 7)))
  const rows = buildDiffRows(sections, options)
  expect(drawn(rows)).toEqual([
    'heading',
    'schemas',
    'change 0',
    'fold 1',
    'heading',
    'change 2',
    'heading',
    'change 3',
    'tool 4',
  ])
  expect(new Set(rows.map(row => row.key)).size).toBe(rows.length)
  const [{ key = '' } = {}] = sections
  const open = buildDiffRows(sections, { ...options, open: new Set([key]) })
  expect(drawn(open).slice(2, 5)).toEqual(['change 0', 'fold 1', 'change 2'])
  expect(buildDiffRows(sections, { ...options, isAllOpen: true })).toHaveLength(open.length)
})

it('summarizeRules: counts and names the rules of the folded changes', () => {
  const rules = ['property-added', 'default-changed', 'property-added', 'enum-values-added', 'generator-form']
  expect(summarizeRules(rules.map(rule => change('1', { rule })))).toBe(
    '2 optional properties added, default changed, enum values added, generator form',
  )
})
