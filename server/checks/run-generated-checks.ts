/** Runs generated checks: sends the planned inputs, repeats and shrinks each failure, and reports causes and scores. */
import { performance } from 'node:perf_hooks'
import { type AnswerVerdict, diedAfterAnswer, isFailure } from '../../core/checks/assess-answer.ts'
import { createLikenessTest } from '../../core/checks/confirm-inputs.ts'
import { type ScoredCall, scoreServer, scoreTool } from '../../core/checks/contract-score.ts'
import { writeExample } from '../../core/checks/example.ts'
import {
  type CheckedTool,
  countSent,
  type GeneratedFinding,
  type GeneratedProgress,
  type GeneratedReport,
  isTested,
  type RunEnding,
  type SkippedTool,
  toCoveragePercent,
  withoutInputs,
} from '../../core/checks/generated-checks.ts'
import { shrinkInput } from '../../core/checks/shrink-input.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { groupBy } from '../../core/lists.ts'
import { toolscopeCall } from '../../core/prompt/copy-as.ts'
import { visibleLine } from '../../core/report/report-text.ts'
import { fingerprint } from '../../core/text/fingerprint.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { shorten } from '../../core/text/wording.ts'
import { listenForAbort } from '../process/run-with-limit.ts'
import { inParallel } from './check-examples.ts'
import {
  type GeneratedCallLimits,
  GeneratedCalls,
  type GeneratedOutcome,
  untested,
} from './generated-calls.ts'
import { createSecond, type ToolPlan } from './plan-generated-checks.ts'

export interface GeneratedRunOptions extends GeneratedCallLimits {
  readonly plans: readonly ToolPlan[]
  readonly skipped: readonly SkippedTool[]
  readonly seed: number
  /** Milliseconds for the whole run. */
  readonly timeMs: number
  /** Calls of one tool at the same time. Failures are repeated one after the other. */
  readonly concurrency: number
  /** Ends the run, which then reports what it has. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: GeneratedProgress) => void
  readonly onFinding?: (finding: GeneratedFinding) => void
}

export interface GeneratedResult {
  readonly report: GeneratedReport
  readonly findings: readonly GeneratedFinding[]
}

/** After so many failures of a kind, a tool gets no more inputs: each of them costs a restart or a time limit. */
const maxFatal: { readonly [Verdict in AnswerVerdict]?: number } = { hang: 3, crash: 12 }
/** Tries to shrink an input, by what a try costs. */
const maxShrinks: { readonly [Verdict in AnswerVerdict]?: number } = { hang: 2, crash: 10 }
const defaultMaxShrinks = 20
/** Earlier inputs that are repeated to find the one after which the server ended. */
const maxSuspects = 6
/** Pings after the last input of a tool, and after an input that is suspected. A server may end late. */
const pings = { last: 2, suspect: 20 } as const

/** Never rejects because of a tool or a server. */
export async function runGeneratedChecks(options: GeneratedRunOptions): Promise<GeneratedResult> {
  const run = new CheckRun(options)
  const stopListening = listenForAbort([options.signal], () => run.calls.end('stopped'))
  const timer = setTimeout(() => run.calls.end('time'), options.timeMs)
  try {
    return await run.run()
  } finally {
    clearTimeout(timer)
    stopListening()
  }
}

class CheckRun {
  readonly calls: GeneratedCalls
  private readonly options: GeneratedRunOptions
  private readonly startedAt = performance.now()
  private readonly findings: GeneratedFinding[] = []
  private readonly tools: CheckedTool[] = []
  private inputs = 0
  /** Inputs of the tools that come later. */
  private reserved = 0

  constructor(options: GeneratedRunOptions) {
    this.options = options
    this.calls = new GeneratedCalls(options)
  }

  async run(): Promise<GeneratedResult> {
    const { plans, seed, skipped } = this.options
    for (const [index, plan] of plans.entries()) {
      this.reserved = plans.slice(index + 1).reduce((sum, { inputs }) => sum + inputs.length, 0)
      const sizes = plans.slice(index).map(({ inputs }) => inputs.length)
      this.tools.push(await this.checkTool(plan, shareBudget(this.calls.left, sizes)))
    }
    const sources = [...groupBy(this.tools, ({ ref }) => this.sourceOf(ref))].map(([source, tools]) => ({
      source,
      score: scoreServer(tools.map(({ score }) => score)),
    }))
    const { ending } = this.calls
    const isShort = this.tools.some(({ cut }) => cut === cutReasons['max-calls'])
    const report = {
      seed,
      ending: ending === 'done' && isShort ? ('max-calls' as const) : ending,
      sent: countSent(this.tools),
      calls: this.calls.count,
      durationMs: Math.round(performance.now() - this.startedAt),
      tools: this.tools,
      sources,
      coveragePercent: this.tools.some(isTested)
        ? toCoveragePercent(this.tools.map(({ coverage }) => coverage))
        : 0,
      skipped,
    }
    return { report, findings: this.findings }
  }

  private sourceOf(ref: string): string {
    return this.options.plans.find(({ tool }) => tool.ref === ref)?.tool.source ?? ''
  }

  /** @param budget the inputs that may be sent */
  private async checkTool(plan: ToolPlan, budget: number): Promise<CheckedTool> {
    const { tool, planned, inputs } = plan
    const callsBefore = this.calls.count
    const startsBefore = this.calls.countStarts(plan)
    const { sent, cut } = await this.sendAll(plan, budget)
    await this.findLateDeath(plan, sent, startsBefore)
    let findings = 0
    const failed = sent.filter(({ assessment }) => isFailure(assessment.verdict))
    for (const group of groupBy(failed, ({ assessment }) => assessment.cause).values()) {
      const finding = await this.explain(plan, group, sent)
      // Another cause may have led to the same failure.
      if (finding === undefined || this.findings.some(({ id }) => id === finding.id)) continue
      findings += 1
      this.findings.push(finding)
      this.options.onFinding?.(finding)
    }
    const decided = sent.filter(({ assessment }) => assessment.verdict !== 'not-tested')
    const coverage = withoutInputs(
      planned.coverage,
      plan,
      decided.map(each => each.planned),
    )
    const verdicts: { [Verdict in AnswerVerdict]?: number } = {}
    for (const { assessment } of sent) verdicts[assessment.verdict] = (verdicts[assessment.verdict] ?? 0) + 1
    const scored = sent.map(
      ({ planned: { kind }, assessment: { verdict }, isOutputChecked }): ScoredCall => ({
        kind,
        verdict,
        isOutputChecked,
      }),
    )
    return {
      ref: tool.ref,
      planned: inputs.length,
      inputs: sent.length,
      calls: this.calls.count - callsBefore,
      verdicts,
      coverage,
      coveragePercent: decided.length === 0 ? 0 : toCoveragePercent([coverage]),
      score: scoreTool(scored, tool.outputSchema !== undefined),
      findings,
      ...(cut !== undefined && { cut }),
    }
  }

  /** Sends the inputs in their order. `cut`: why not all were sent. */
  private async sendAll(
    plan: ToolPlan,
    budget: number,
  ): Promise<{ readonly sent: GeneratedOutcome[]; readonly cut: string | undefined }> {
    const { tool, inputs } = plan
    const { concurrency, onProgress } = this.options
    const sent: GeneratedOutcome[] = []
    const fatal = new Map<AnswerVerdict, number>()
    let started = 0
    let cut: string | undefined
    await inParallel(inputs, concurrency, async planned => {
      if (cut !== undefined) return
      if (this.calls.isOver) cut = cutReasons[this.calls.ending]
      else if (started >= budget) cut = cutReasons['max-calls']
      if (cut !== undefined) return
      started += 1
      const result = await this.calls.send(plan, planned)
      const { verdict } = result.assessment
      cut ??= result.refusal
      if (result.isCut === true) {
        cut ??= cutReasons[this.calls.ending]
        return
      }
      sent.push(result)
      this.inputs += 1
      fatal.set(verdict, (fatal.get(verdict) ?? 0) + 1)
      if ((fatal.get(verdict) ?? 0) >= (maxFatal[verdict] ?? Number.POSITIVE_INFINITY))
        cut ??= `it had the verdict ${verdict} ${maxFatal[verdict]} times`
      onProgress?.({
        calls: this.calls.count,
        inputs: this.inputs,
        findings: this.findings.length,
        ref: tool.ref,
      })
    })
    const ordered = inputs.flatMap(input => sent.find(({ planned }) => planned === input) ?? [])
    if (ordered.length === inputs.length) cut = undefined
    if (concurrency === 1) return { sent: ordered, cut }
    // One call may end the server for others that run at the same time.
    const alone: GeneratedOutcome[] = []
    for (const each of ordered) {
      const isShared = isFailure(each.assessment.verdict) && !this.calls.isOver
      const again = isShared ? await this.calls.send(plan, each.planned) : each
      alone.push(again.isCut === true ? each : again)
    }
    return { sent: alone, cut }
  }

  /** Finds the input after whose answer the server ended, if it ended between calls. */
  private async findLateDeath(plan: ToolPlan, sent: GeneratedOutcome[], startsBefore: number): Promise<void> {
    const last = sent.at(-1)
    if (last === undefined || this.calls.isEnded) return
    const endsNow = await this.calls.endsSoon(plan, pings.last)
    const known = sent.filter(({ assessment: { verdict } }) => verdict === 'crash' || verdict === 'hang')
    if (!endsNow && this.calls.countStarts(plan) - startsBefore <= known.length) return
    const culprit = await this.findCulprit(plan, last, sent)
    if (culprit !== undefined) sent[sent.indexOf(culprit)] = { ...culprit, assessment: lateDeath }
  }

  /** Repeats the failure, and shrinks its input. Returns undefined if it cannot be repeated and may be a coincidence. */
  private async explain(
    plan: ToolPlan,
    group: readonly GeneratedOutcome[],
    sent: GeneratedOutcome[],
  ): Promise<GeneratedFinding | undefined> {
    const [first] = group
    if (first === undefined) return undefined
    const once = 'It failed once. It was not sent again, because the run ended.'
    const describeOnce = () => this.describe(plan, first, { count: group.length, notes: [once] })
    if (this.calls.isOver) return describeOnce()
    if (first.assessment === lateDeath) return this.describe(plan, first, { count: group.length, notes: [] })
    const again = await this.calls.send(plan, first.planned)
    if (isFailure(again.assessment.verdict)) return this.shrink(plan, again, group.length)
    if (again.assessment === untested && this.calls.isOver) return describeOnce()
    if (first.assessment.verdict === 'crash') {
      const culprit = await this.findCulprit(plan, first, sent)
      const at = sent.indexOf(first)
      if (culprit !== undefined) {
        if (culprit !== first) sent[at] = { ...first, assessment: untested }
        sent[sent.indexOf(culprit)] = { ...culprit, assessment: lateDeath }
        return this.describe(plan, { ...culprit, assessment: lateDeath }, { count: 1, notes: [] })
      }
    }
    // A busy machine is slow too.
    if (first.assessment.verdict === 'hang') {
      sent[sent.indexOf(first)] = { ...first, assessment: untested }
      return undefined
    }
    const notes = ['It failed once, and not when the same input was sent again.']
    return this.describe(plan, first, { count: group.length, notes })
  }

  /** Returns the input after whose answer the server ends: the given one, or one before it. */
  private async findCulprit(
    plan: ToolPlan,
    crashed: GeneratedOutcome,
    sent: readonly GeneratedOutcome[],
  ): Promise<GeneratedOutcome | undefined> {
    const before = sent.slice(0, sent.indexOf(crashed) + 1).toReversed()
    const suspects = [
      ...before.filter(({ planned }) => planned.kind === 'invalid'),
      ...before.filter(({ planned }) => planned.kind === 'valid'),
    ]
    for (const suspect of suspects.slice(0, maxSuspects)) {
      if (this.calls.isOver) return undefined
      await this.calls.send(plan, suspect.planned)
      if (await this.calls.endsSoon(plan, pings.suspect)) return suspect
    }
    return undefined
  }

  private async shrink(
    plan: ToolPlan,
    failed: GeneratedOutcome,
    count: number,
  ): Promise<GeneratedFinding | undefined> {
    const { planned, assessment } = failed
    const { tool } = plan
    let { message } = assessment
    const isOver = () => this.calls.isOver || this.calls.left <= this.reserved
    const { input, isSmallest } = await shrinkInput(
      planned.input,
      async candidate => {
        const result = await this.calls.send(plan, { ...planned, input: candidate })
        const failsAlike = result.assessment.cause === assessment.cause
        if (failsAlike) message = result.assessment.message
        return failsAlike
      },
      {
        maxTries: maxShrinks[assessment.verdict] ?? defaultMaxShrinks,
        isCandidate: createLikenessTest(tool.inputSchema, planned, createSecond),
        signal: {
          get aborted() {
            return isOver()
          },
        },
      },
    )
    const smallest = { ...failed, planned: { ...planned, input }, assessment: { ...assessment, message } }
    return this.describe(plan, smallest, { count, notes: [], isSmallest })
  }

  private describe(
    { tool }: ToolPlan,
    { planned, assessment: { verdict, message, cause } }: GeneratedOutcome,
    {
      count,
      notes,
      isSmallest = false,
    }: { readonly count: number; readonly notes: readonly string[]; readonly isSmallest?: boolean },
  ): GeneratedFinding | undefined {
    if (verdict === 'ok' || verdict === 'not-tested') return undefined
    const { input, kind, why, constraint, field, note } = planned
    const inputText = writeJson(input, 0)
    const id = fingerprint([tool.ref, cause])
    const source = this.options.catalog.sources.list().find(({ name }) => name === tool.source)
    const words = ['toolscope', 'call', tool.ref, '--input', inputText]
    const line = source && toolscopeCall({ tool, source, input: inputText, variables: {}, origin: '' })
    const alsoBreaks = planned.alsoBreaks.map(other => `The input also breaks ${other}.`)
    const finding = {
      id,
      ref: tool.ref,
      verdict,
      kind,
      message,
      why,
      constraint,
      field,
      inputText,
      isSmallest,
      count,
      shellLine: line ?? formatShellCommand(words),
      notes: [...notes, ...(note === undefined ? [] : [note]), ...alsoBreaks],
    }
    // A saved example would send the value of the variable.
    return inputText.includes('${env:') ? finding : { ...finding, exampleText: toExampleText(finding, input) }
  }
}

/**
 * Returns how many inputs the first tool may send: all tools get the same number at most, and what small ones leave is
 * for the others.
 *
 * @param sizes the inputs of the first tool and of those that follow
 */
function shareBudget(left: number, sizes: readonly number[]): number {
  const [own = 0] = sizes
  let rest = left
  const ascending = sizes.toSorted((a, b) => a - b)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(rest / (ascending.length - index))
    if (size > share) return Math.min(own, share)
    rest -= size
  }
  return left
}

const lateDeath: GeneratedOutcome['assessment'] = {
  verdict: 'crash',
  message: diedAfterAnswer,
  cause: 'crash after the answer',
}

const cutReasons: Readonly<Record<RunEnding, string>> = {
  done: '',
  'max-calls': 'the budget of calls was used up',
  time: 'the time was over',
  stopped: 'the run was stopped',
}

function toExampleText(
  { id, verdict, kind, field, constraint, message, why }: Omit<GeneratedFinding, 'exampleText'>,
  input: Json,
): string {
  const name = shorten(visibleLine(`${verdict} ${field || '/'} ${constraint.keyword}`), 180)
  return writeExample({
    name: `${name} ${id}`,
    note: shorten(`Found by generated checks. ${why} ${message}`, 1_000),
    input,
    expect: kind === 'valid' ? { accepts: true } : { refuses: field },
  })
}
