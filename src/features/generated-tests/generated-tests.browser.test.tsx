import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { GeneratedEvent } from '../../../core/api/generated-checks.ts'
import type { ContractScore } from '../../../core/checks/contract-score.ts'
import type {
  GeneratedFinding,
  GeneratedPlan,
  GeneratedReport,
  ToolScore,
} from '../../../core/checks/generated-checks.ts'
import type { RequestTo } from '../../api/backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const score: ContractScore = {
  total: 75,
  parts: { staysAlive: 1, refusesForbidden: 0.5, namesField: 1, declaresOutput: 0 },
  calls: 3,
}
const coverage = {
  constraints: { total: 4, exercised: 3 },
  branches: { total: 0, exercised: 0 },
  enumValues: { total: 2, exercised: 2 },
}
const constraint = { pointer: '/properties/count', keyword: 'maximum', value: 50 }

const finding: GeneratedFinding = {
  id: 'f1',
  ref: 'desk/careless',
  verdict: 'accepted-silently',
  kind: 'invalid',
  message: 'The tool accepted an input that its schema forbids.',
  why: '/count breaks maximum 50.',
  constraint,
  field: '/count',
  inputText: '{"count":12345678901234567890}',
  isSmallest: true,
  count: 3,
  shellLine: "toolscope call careless --input '{}'",
  exampleText: '{"name":"refuses count","input":{"count":12345678901234567890}}',
  notes: [],
}

function makePlan(
  refs: readonly string[],
  isDryRun: boolean,
  skipped: GeneratedPlan['skipped'] = [],
): GeneratedPlan {
  const inputs = [
    { inputText: '{}', kind: 'valid', constraint, field: '', why: 'Only the required fields.' },
    { inputText: finding.inputText, kind: 'invalid', constraint, field: '/count', why: finding.why },
  ] as const
  const counts = { valid: 1, invalid: 1, unconfirmed: 0 }
  return {
    id: 'run-1',
    seed: 1,
    maxCalls: 500,
    isDryRun,
    tools: refs.map(ref => ({
      ref,
      annotations: {},
      ...counts,
      coverage,
      unknowns: [],
      ...(isDryRun && { inputs }),
    })),
    skipped,
    inputs: 2 * refs.length,
  }
}

function makeReport(ref: string, ending: GeneratedReport['ending']): GeneratedReport {
  const sent = ending === 'done' ? 2 : 1
  return {
    seed: 1,
    ending,
    sent: { planned: 2, sent, percent: 50 * sent },
    calls: 9,
    durationMs: 1_200,
    tools: [
      {
        ref,
        planned: 2,
        inputs: sent,
        calls: 9,
        verdicts: { ok: 1, 'accepted-silently': 1 },
        coverage,
        coveragePercent: 83,
        score,
        findings: 1,
      },
    ],
    sources: [{ source: 'desk', score }],
    coveragePercent: 83,
    skipped: [],
  }
}

const integer = { type: 'object', properties: { count: { type: 'integer', maximum: 50 } } } as const

interface Served {
  readonly address: string
  readonly skipped?: GeneratedPlan['skipped']
  /** The tools of a plan for the source. */
  readonly planned?: readonly string[]
  readonly scores?: readonly ToolScore[]
  /** Returns the events of a run after its plan. */
  readonly run?: (ref: string) => AsyncIterable<GeneratedEvent>
  readonly onStop?: () => void
}

/**
 * Opens the page at an address. Each test has a tool of its own, because runs outlive the page. Returns the bodies of
 * the requests that generate, and the texts of saved examples.
 */
function openTests({ address, skipped, planned = [], scores = [], run, onStop }: Served) {
  const bodies: RequestTo<'POST /api/generated-checks'>['body'][] = []
  const saved: string[] = []
  const backend = memoryBackend({
    tools: ['careless', 'rename', 'slow', 'worn'].map(name => ({ name, inputSchema: integer })),
    handlers: {
      'GET /api/examples': async () => ({
        examples: saved.map(text => ({ name: JSON.parse(text).name, text })),
        problems: [],
        place: 'toolscope.examples',
      }),
      'PUT /api/examples': async ({ body: { text } }) => {
        saved.push(text)
        return { example: { name: JSON.parse(text).name, text }, leftOut: [] }
      },
      'GET /api/generated-checks/scores': async () => ({
        tools: [...scores],
        sources: [{ source: 'desk', score }],
      }),
      'POST /api/generated-checks/{id}/stop': async () => {
        onStop?.()
        return { stopped: true }
      },
    },
    lineHandlers: {
      async *'POST /api/generated-checks'({ body }): AsyncGenerator<GeneratedEvent> {
        bodies.push(body)
        const { ref, dryRun = false } = body
        yield { type: 'plan', plan: makePlan(ref === undefined ? planned : [ref], dryRun, skipped) }
        if (!dryRun && run !== undefined) yield* run(ref ?? 'desk/careless')
      },
    },
  })
  openPage(backend, address)
  return { bodies, saved }
}

const section = page.getByTestId('generated-tests')
const button = (name: string) => page.getByRole('button', { name })

test('generated tests: list the inputs, call, and show each finding with its actions', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const { bodies, saved } = openTests({
    address: '/?tool=desk/careless&tab=examples',
    async *run(ref) {
      yield { type: 'progress', progress: { calls: 9, inputs: 2, findings: 1, ref } }
      yield { type: 'finding', finding }
      yield { type: 'end', report: makeReport(ref, 'done') }
    },
  })
  await page.getByLabelText('Seed').fill('7')
  await button('Generate tests').click()
  await expect.element(section).toHaveTextContent('2 inputs: 1 that the schema allows, 1 that it forbids.')
  await page.getByText('List the inputs').click()
  await expect.element(page.getByText('Only the required fields.')).toBeVisible()
  await button('Call with 2 inputs').click()

  await expect
    .element(page.getByTestId('generated-outcome'))
    .toHaveTextContent('1 finding 2 inputs, 9 calls in 1.2 s, 83% of the schema covered, seed 1.')
  expect(bodies).toEqual([
    { ref: 'desk/careless', seed: 7, maxCalls: 500, dryRun: true },
    { ref: 'desk/careless', seed: 7, maxCalls: 500, confirmed: false },
  ])
  await expect.element(page.getByLabelText('Contract score')).toHaveTextContent('75/100')
  await expect.element(page.getByLabelText('Contract score')).toHaveTextContent('Keeps its outputnot tested')
  await expect
    .element(page.getByLabelText('Coverage of the schema'))
    .toHaveTextContent('Constraints75% 3 of 4Enum values100% 2 of 2')
  const row = page.getByRole('listitem').filter({ hasText: finding.message })
  await expect.element(row).toHaveTextContent('and 2 other inputs that fail alike')
  await expect.element(row).toHaveTextContent('/properties/count/maximum: 50')
  await expect.element(row).toHaveTextContent('12345678901234567890')

  await button('Copy as shell line').click()
  expect(written).toHaveBeenCalledWith(finding.shellLine)
  written.mockRestore()
  await button('Save as example').click()
  await expect.element(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible()
  expect(saved).toEqual([finding.exampleText])
  await expect.element(page.getByRole('button', { name: 'refuses count', exact: true })).toBeVisible()

  // The run is still there after the form was filled.
  await button('Try it').click()
  await expect
    .element(page.getByTestId('tool-form').getByLabelText('count'))
    .toHaveValue('12345678901234567890')
  await page.getByRole('tab', { name: 'Examples' }).click()
  await expect.element(page.getByTestId('generated-outcome')).toHaveTextContent('1 finding')
})

test('generated tests: ask before a tool that is not declared read-only, and name the risk', async () => {
  const { bodies } = openTests({
    address: '/?tool=desk/rename&tab=examples',
    skipped: [{ ref: 'desk/rename', reason: 'it is not declared read-only', needs: 'all' }],
    async *run(ref) {
      yield { type: 'end', report: { ...makeReport(ref, 'done'), calls: 2 } }
    },
  })
  await button('Generate tests').click()
  await expect.element(section).toHaveTextContent('it is not declared read-only')
  await expect.element(button('Call with 2 inputs')).toBeDisabled()
  await page.getByLabelText('I accept this risk').click()
  await button('Call with 2 inputs').click()
  await expect.element(page.getByTestId('generated-outcome')).toHaveTextContent('no findings')
  expect(bodies.at(-1)).toMatchObject({ confirmed: true })
})

test('generated tests: go on at another tab, and stop with a report', async () => {
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  openTests({
    address: '/?tool=desk/slow&tab=examples',
    onStop: () => stop(),
    async *run(ref) {
      yield { type: 'progress', progress: { calls: 1, inputs: 1, findings: 0, ref } }
      await stopped
      yield { type: 'end', report: makeReport(ref, 'stopped') }
    },
  })
  await button('Generate tests').click()
  await button('Call with 2 inputs').click()
  await expect.element(section).toHaveTextContent('1 of 2 inputs')
  await page.getByTestId('form-tab').click()
  await page.getByRole('tab', { name: 'Examples' }).click()
  await expect
    .element(page.getByRole('progressbar', { name: 'Inputs that were sent' }))
    .toHaveAttribute('value', '1')
  await button('Stop').click()
  await expect.element(page.getByTestId('generated-outcome')).toHaveTextContent('Stopped.')
  await expect.element(page.getByTestId('generated-outcome')).toHaveTextContent('only 1 of 2 inputs')
})

test('generated tests: calls that end a server together are one list, and an error of the run is named', async () => {
  const { exampleText: _, ...found } = finding
  const calls = [1, 2].map(count => ({ ref: 'desk/worn', inputText: `{"count":${count}}` }))
  openTests({
    address: '/?tool=desk/worn&tab=examples',
    async *run(ref) {
      yield { type: 'finding', finding: { ...found, ref, verdict: 'crash', message: 'Two calls.', calls } }
      const error = { code: 'internal' as const, title: 'Unexpected', detail: 'a fault in the run', hint: '' }
      yield { type: 'error', error }
    },
  })
  await button('Generate tests').click()
  await button('Call with 2 inputs').click()
  await expect.element(section).toHaveTextContent('a fault in the run')
  const row = page.getByRole('listitem').filter({ hasText: 'Two calls.' })
  await expect.element(row).toHaveTextContent('desk/worn {"count":1} desk/worn {"count":2}')
  await expect.element(row.getByRole('button', { name: 'Try it' })).not.toBeInTheDocument()
  await expect.element(row).toHaveTextContent('2 calls')
})

test('contract scores: a number in the catalog, and a table of the source that sorts by each part', async () => {
  const scored = (name: string, total: ContractScore['total'], refuses: number): ToolScore => ({
    ref: `desk/${name}`,
    source: 'desk',
    score: { total, parts: { staysAlive: 1, refusesForbidden: refuses }, calls: 3 },
    coveragePercent: 100,
    findings: 0,
    time: new Date(0).toISOString(),
    isOutdated: false,
  })
  const scores = [
    scored('careless', 75, 0.9),
    scored('rename', 80, 0.5),
    { ...scored('slow', 'not tested', 0), score: { total: 'not tested' as const, parts: {}, calls: 0 } },
  ]
  openTests({ address: '/?about=desk', scores })
  const row = page.getByTestId('catalog-row').filter({ hasText: 'rename' })
  await expect.element(row).toHaveTextContent('80')
  await expect.element(row.getByRole('img', { name: 'contract score' })).toBeVisible()
  const table = page.getByRole('region', { name: 'Scores of the tools' })
  const firstCells = () =>
    [...table.element().querySelectorAll('tbody th button')].map(cell => cell.textContent)
  await expect.element(table).toBeVisible()
  await expect.poll(firstCells).toEqual(['careless', 'rename', 'slow'])
  await table.getByRole('button', { name: 'Score' }).click()
  await expect.poll(firstCells).toEqual(['rename', 'careless', 'slow'])
  await table.getByRole('button', { name: 'Refuses what it forbids' }).click()
  await expect.poll(firstCells).toEqual(['rename', 'careless', 'slow'])
  await expect
    .element(table.getByRole('columnheader', { name: 'Refuses what it forbids' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await table.getByRole('button', { name: 'slow' }).click()
  await expect.element(page.getByRole('tab', { name: 'Examples' })).toBeVisible()
  await expect.element(section).toBeVisible()
})

test('generated tests of a source: call its read-only tools, others after a confirmation, and open a finding', async () => {
  const { bodies } = openTests({
    address: '/?about=desk',
    planned: ['desk/careless', 'desk/rename'],
    skipped: [{ ref: 'desk/rename', reason: 'it does not declare that it only reads', needs: 'all' }],
    async *run(ref) {
      yield { type: 'finding', finding }
      yield { type: 'end', report: makeReport(ref, 'done') }
    },
  })
  await button('Generate tests').click()
  await expect.element(section).toHaveTextContent('2 inputs for 1 tool')
  await expect.element(section).toHaveTextContent('1 tool not called by default')
  await page.getByLabelText('I accept this risk').click()
  await expect.element(section).toHaveTextContent('4 inputs for 2 tools')
  await page.getByLabelText('I accept this risk').click()
  await button('Call with 2 inputs').click()
  await expect.element(page.getByTestId('generated-outcome')).toHaveTextContent('1 finding')
  expect(bodies.at(-1)).toEqual({ source: 'desk', seed: 1, maxCalls: 500, confirmed: false })
  await expect.element(page.getByRole('heading', { name: 'desk/careless' })).toBeVisible()
  await button('Try it').click()
  await expect
    .element(page.getByTestId('tool-form').getByLabelText('count'))
    .toHaveValue('12345678901234567890')
})
