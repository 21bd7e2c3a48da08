import { expect, test } from 'vitest'
import { toCoveragePercent, withoutInputs } from '../checks/generated-checks.ts'
import { type GeneratedReportInput, generatedRenderers } from './generated-report.ts'

const hostile = '\u001b[2J<script>x</script>`|\n::error::owned\ud83d'
const coverage = {
  constraints: { total: 4, exercised: 3 },
  branches: { total: 2, exercised: 2 },
  enumValues: { total: 2, exercised: 1 },
}
const constraint = { pointer: '/properties/size', keyword: 'maximum', value: 9 }
const score = { total: 85, parts: { staysAlive: 1, namesField: 0.5 }, calls: 9 } as const
const ref = `shop/${hostile}`
const input: GeneratedReportInput = {
  output: {},
  version: '1',
  plan: {
    id: 'a',
    seed: 1,
    maxCalls: 9,
    isDryRun: false,
    inputs: 7,
    tools: [{ ref, annotations: {}, valid: 4, invalid: 3, unconfirmed: 0, coverage, unknowns: [] }],
    skipped: [{ ref: 'shop/wipe', reason: 'it writes', needs: 'idempotent' }],
  },
  report: {
    seed: 1,
    ending: 'max-calls',
    calls: 9,
    durationMs: 5,
    coveragePercent: 75,
    skipped: [],
    sources: [{ source: 'shop', score }],
    tools: [
      {
        ref,
        inputs: 7,
        calls: 9,
        verdicts: { ok: 6, 'accepted-silently': 1 },
        coverage,
        coveragePercent: 75,
        score,
        findings: 1,
        cut: 'the budget of calls was used up',
      },
    ],
  },
  findings: [
    {
      id: 'cafe0001',
      ref,
      verdict: 'accepted-silently',
      kind: 'invalid',
      message: hostile,
      why: '/size breaks maximum 9.',
      constraint,
      field: '/size',
      inputText: '{"size":10}',
      isSmallest: true,
      count: 2,
      shellLine: `toolscope call '${hostile}'`,
      notes: [],
    },
  ],
}
const style = { colour: false }

test('generated report: text has the verdict, the smallest input, the score and what to do', () => {
  const text = generatedRenderers.text(input, style)
  expect(text).toContain('accepted-silently: /size breaks maximum 9. (2 inputs fail alike)')
  expect(text).toContain('smallest input  {"size":10}')
  expect(text).toContain('skipped: it writes (--idempotent calls it)')
  expect(text).toContain('shop: score 85: stays alive 100%, names the field 50%')
  expect(text).toContain('--max-calls raises it')
})

test('generated report: without a call, no part of a schema is said to be covered', () => {
  const { report } = input
  if (report === undefined) throw new Error('the report is missing')
  const tools = report.tools.map(tool => ({ ...tool, inputs: 0 }))
  const without = { ...input, report: { ...report, calls: 0, tools } }
  expect(generatedRenderers.text(without, style)).not.toMatch(/% of the schema/)
  expect(generatedRenderers.markdown(without)).toContain('| 0 | – |')
})

test('generated report: a dry run lists the inputs', () => {
  const { report: _, findings: __, ...planned } = input
  const [tool] = planned.plan.tools
  if (tool === undefined) throw new Error('the tool is missing')
  const listed = {
    inputText: '{"size":10}',
    kind: 'invalid' as const,
    constraint,
    field: '/size',
    why: 'Why.',
  }
  const plan = { ...planned.plan, isDryRun: true, tools: [{ ...tool, inputs: [listed] }] }
  for (const format of ['text', 'markdown', 'html'] as const)
    expect(generatedRenderers[format]({ ...planned, plan, findings: [] }, style)).toMatch(
      /size(?:"|&quot;):10/,
    )
})

test('generated report: text of a source has no meaning in any format', () => {
  for (const format of ['text', 'junit', 'markdown', 'html', 'sarif', 'github', 'gitlab'] as const) {
    const text = generatedRenderers[format](input, style)
    expect(text, format).not.toContain('\u001b')
    expect(text, format).not.toMatch(/^::error::owned/m)
    if (format === 'html' || format === 'junit') expect(text).not.toContain('<script')
  }
  const { runs } = JSON.parse(generatedRenderers.sarif(input))
  expect(runs[0].results).toMatchObject([{ ruleId: 'accepted-silently', level: 'error' }])
})

test('generated report: coverage counts all parts, and only inputs that were sent', () => {
  expect(toCoveragePercent([coverage])).toBe(75)
  expect(toCoveragePercent([])).toBe(100)
  const less = withoutInputs(coverage, [{ kind: 'invalid', constraint }], 0.5)
  expect(less.constraints.exercised).toBe(2)
  expect(less.branches.exercised).toBe(1)
})
