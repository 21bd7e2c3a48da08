import { expect, test } from 'vitest'
import { type CheckedTool, toCoveragePercent, withoutInputs } from '../checks/generated-checks.ts'
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
    sent: { planned: 9, sent: 7, percent: 77 },
    calls: 9,
    durationMs: 5,
    coveragePercent: 75,
    skipped: [],
    sources: [{ source: 'shop', score }],
    tools: [
      {
        ref,
        planned: 9,
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
  const untested = { total: 'not tested', parts: {}, calls: 0 } as const
  const tools = report.tools.map(tool => ({ ...tool, inputs: 0, score: untested }))
  const without = { ...input, report: { ...report, calls: 0, tools } }
  expect(generatedRenderers.text(without, style)).not.toMatch(/% of the schema/)
  expect(generatedRenderers.markdown(without)).toContain('| 0 of 9 | – |')
})

const formats = ['text', 'json', 'junit', 'markdown', 'html', 'sarif', 'github', 'gitlab'] as const

test('generated report: each format says that a run was cut, which share was sent, and why', () => {
  if (input.report === undefined) throw new Error('the report is missing')
  const tools = input.report.tools.map(tool => ({ ...tool, findings: 0, verdicts: { ok: 7 } }))
  const report = { ...input.report, tools }
  const cut = { ...input, report, findings: [], output: report }
  for (const format of formats) {
    const text = generatedRenderers[format](cut, style)
    if (format === 'json') expect(JSON.parse(text).sent).toEqual({ planned: 9, sent: 7, percent: 77 })
    // Commands of a workflow escape the percent sign.
    else expect(text.replaceAll('%25', '%'), format).toContain('7 of 9 (77%)')
  }
  expect(generatedRenderers.text(cut, style)).toMatch(/^! shop\/.* · 7 of 9 inputs/)
  expect(generatedRenderers.text(cut, style)).not.toContain('✓')
  expect(generatedRenderers.junit(cut)).toContain('tests="3" failures="0" skipped="2"')
  expect(generatedRenderers.github(cut)).toMatch(/^::warning title=/m)
  const { runs } = JSON.parse(generatedRenderers.sarif(cut))
  expect(runs[0].invocations).toMatchObject([{ executionSuccessful: false }])
})

/** The tools as if each of their nine inputs was sent, without a finding of their own. */
function wholeRun(verdicts: CheckedTool['verdicts']) {
  const { report } = input
  if (report === undefined) throw new Error('the report is missing')
  const tools = report.tools.map(({ cut: _, ...tool }) => ({ ...tool, inputs: 9, findings: 0, verdicts }))
  return { report, tools }
}

test('generated report: a whole run is a notice, and its SARIF and Code Quality have only findings', () => {
  const { report, tools } = wholeRun({ ok: 9 })
  const whole = {
    ...input,
    findings: [],
    report: { ...report, tools, ending: 'done' as const, sent: { planned: 9, sent: 9, percent: 100 } },
  }
  expect(generatedRenderers.github(whole)).toMatch(/^::notice title=/m)
  expect(JSON.parse(generatedRenderers.gitlab(whole))).toEqual([])
  expect(JSON.parse(generatedRenderers.sarif(whole)).runs[0]).not.toHaveProperty('invocations')
  expect(generatedRenderers.text(whole, style)).toMatch(/^✓ /)
  const unreachable = { ...whole, unreachable: ['"till" cannot be reached'] }
  for (const format of formats)
    if (format !== 'json')
      expect(generatedRenderers[format](unreachable, style), format).toMatch(/till.* cannot be reached/)
})

test('generated report: a tool whose failure is the finding of another one has not passed', () => {
  const { report, tools } = wholeRun({ ok: 8, crash: 1 })
  const other = { ...input, findings: [], report: { ...report, tools } }
  expect(generatedRenderers.text(other, style)).toMatch(/^! .*the finding is that of another tool/)
  expect(generatedRenderers.junit(other)).toContain('failures="0" skipped="2"')
})

test('generated report: calls that end a server together are listed in their order', () => {
  const calls = ['{"size":1}', '{"size":2}'].map(inputText => ({ ref: 'shop/buy', inputText }))
  const findings = input.findings.map(finding => ({ ...finding, verdict: 'crash' as const, calls }))
  for (const format of ['text', 'junit', 'markdown', 'html', 'sarif', 'github', 'gitlab'] as const) {
    const text = generatedRenderers[format]({ ...input, findings }, style)
    expect(text, format).toMatch(/call 1 .*size.*call 2 .*size/s)
    expect(text, format).not.toContain('smallest input')
  }
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
})

test('generated report: an input that is not sent takes its constraint, branch or enum value out of the coverage', () => {
  const made = (kind: 'valid' | 'invalid', keyword: string) => ({
    input: {},
    kind,
    constraint: { ...constraint, keyword },
    why: '',
  })
  // A constraint may have two forbidden inputs.
  const inputs = [
    made('invalid', 'type'),
    made('invalid', 'type'),
    made('invalid', 'maximum'),
    made('valid', 'properties'),
    made('valid', 'enum'),
  ]
  const covering = { inputs, branchInputs: inputs.slice(3, 5) }
  const countAfter = (...sent: number[]) => {
    const { constraints, branches, enumValues } = withoutInputs(
      coverage,
      covering,
      inputs.filter((_, index) => sent.includes(index)),
    )
    return [constraints.exercised, branches.exercised, enumValues.exercised]
  }
  expect(countAfter(0, 1, 2, 3, 4)).toEqual([3, 2, 1])
  expect(countAfter(0, 2, 3, 4)).toEqual([3, 2, 1])
  expect(countAfter(0, 3)).toEqual([2, 1, 0])
  expect(countAfter()).toEqual([1, 0, 0])
})
