import { expect, it } from 'vitest'
import type { DiffAnswer } from '../../../core/api.ts'
import type { Change } from '../../../core/diff/change.ts'
import { diffMarkdown } from './diff-markdown.ts'

const breaking: Change = {
  fingerprint: 'a41f09c2',
  rule: 'maximum-lowered',
  severity: 'breaking',
  direction: 'input',
  tool: 'api deploy',
  path: '/batch',
  message: 'maximum lowered: 100 → 50',
  witness: { value: { batch: 51 }, path: '/batch', error: 'must be ≤ 50', acceptedBy: 'before' },
}
const answer = (changes: readonly Change[]): DiffAnswer => ({
  a: { label: 'old', side: { tools: [] } },
  b: { label: 'new', side: { tools: [] } },
  report: {
    changes,
    counts: { breaking: 1, dangerous: 0, warning: 0, info: 0 },
    proved: 0,
    undecided: 0,
    compared: 1,
    ignored: [],
  },
})

it('says what broke, with the witness', () => {
  const text = diffMarkdown(answer([breaking]), [breaking])
  expect(text).toContain('# old → new')
  expect(text).toContain('## api deploy')
  expect(text).toContain('A call that worked before and fails now')
  expect(text).toContain('{ "batch": 51 }')
})

it('lets no name or text break out', () => {
  const hostile = { ...breaking, tool: 'x\n# [y](z)<img>', message: '```\n</details>', path: '``` `' }
  const text = diffMarkdown(answer([hostile]), [hostile])
  expect(text).toContain('## x \\# \\[y\\]\\(z\\)\\<img\\>')
  expect(text).not.toMatch(/^# \[/m)
  expect(text).not.toMatch(/^```$/m)
})
