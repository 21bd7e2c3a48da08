import { expect, it } from 'vitest'
import type { Change, DiffReport } from '../diff/change.ts'
import { countBySeverity } from '../diff/diff-manifests.ts'
import { countsLine, summarySentences } from './diff-summary.ts'

const change = (rule: string, more: Partial<Change> = {}): Change => ({
  fingerprint: '00000000',
  rule,
  severity: 'info',
  direction: 'input',
  path: '',
  message: rule,
  ...more,
})
const report = (changes: readonly Change[], proved = 0, undecided = 0): DiffReport => ({
  changes,
  counts: countBySeverity(changes),
  proved,
  undecided,
  compared: 6,
  ignored: [],
  unusedIgnores: [],
  switchedOff: {},
  lowered: 0,
  strict: false,
})

it('summary: says first what breaks callers, then what happened to the tools, then what is proved', () => {
  const all = report(
    [
      change('tool-removed', { tool: 'gone', severity: 'breaking' }),
      change('tool-renamed', { tools: ['a_b', 'c_d', 'e_f', 'g_h'], severity: 'breaking' }),
      ...Array.from({ length: 8 }, (_, at) => change('tool-added', { tool: `new ${at}` })),
      change('property-added', { tool: 'a_b' }),
      change('default-changed', { tool: 'a_b', severity: 'warning' }),
      change('generator-form', { tools: ['a_b', 'c_d'] }),
      change('prompt-added', { tool: 'prompt greet' }),
    ],
    28,
  )
  expect(summarySentences(all)).toEqual([
    'A client that froze the old list may no longer work: 2 breaking changes.',
    '1 tool removed, 4 renamed, 8 added, 2 changed.',
    '1 prompt added.',
    '28 schema changes are proved compatible.',
  ])
  expect(countsLine(all)).toBe(
    '6 tools compared · 14 differences: 2 breaking, 0 dangerous, 1 warning, 11 info',
  )
})

it('summary: uses the singular for one, leaves out counts of zero, and says when nothing changed', () => {
  const one = report([change('maximum-lowered', { tool: 'a', severity: 'breaking' })], 1, 1)
  expect(summarySentences(one).join(' ')).toBe(
    'A client that froze the old list may no longer work: 1 breaking change. 1 tool changed. 1 schema change is proved compatible. 1 schema change is undecided.',
  )
  const text = report([change('instructions-changed', { severity: 'dangerous' })])
  expect(summarySentences(text)).toEqual([
    'A client that froze the old list still works; 1 change needs a look.',
  ])
  expect(summarySentences(report([change('title-changed', { tool: 'a' })]))[0]).toBe(
    'A client that froze the old list still works.',
  )
  expect(summarySentences(report([]))).toEqual(['Nothing changed.'])
})

it('summary: does not claim more than was decided, and says what was accepted', () => {
  const open = report([change('pattern-changed', { severity: 'warning' })], 0, 1)
  expect(summarySentences(open)[0]).toBe(
    'No break was found for a client that froze the old list; 1 change needs a look.',
  )
  expect(summarySentences({ ...report([change('tool-removed')]), lowered: 1 })[0]).toBe(
    'By your rules: a client that froze the old list still works.',
  )
  const ignored = [change('tool-removed', { severity: 'breaking' })]
  expect(summarySentences({ ...report([change('title-changed')]), ignored })[0]).toBe(
    'A client that froze the old list still works. 1 break that you accepted is not counted.',
  )
  expect(summarySentences({ ...report([]), ignored })).toEqual([
    'Your rules hide every change; you accepted 1 breaking change.',
  ])
})
