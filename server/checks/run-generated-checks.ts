/** Runs generated checks: sends the planned inputs, repeats and shrinks each failure, and reports causes and scores. */
import { performance } from 'node:perf_hooks'
import { type AnswerVerdict, isFailure } from '../../core/checks/assess-answer.ts'
import { createLikenessTest } from '../../core/checks/confirm-inputs.ts'
import { type ScoredCall, scoreServer, scoreTool } from '../../core/checks/contract-score.ts'
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
import { groupBy } from '../../core/lists.ts'
import { listenForAbort } from '../process/run-with-limit.ts'
import { inParallel } from './check-examples.ts'
import { type DeathCause, findDeathCause } from './death-cause.ts'
import { describeFinding, describeRow, type FindingFacts, rowDeath } from './describe-finding.ts'
import {
  type GeneratedCallLimits,
  GeneratedCalls,
  type GeneratedOutcome,
  type LoggedCall,
  lateDeath,
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
/** Pings after the last input of a tool, and of a source: the server may end late. */
const pings = { last: 2, lastOfSource: 20 } as const

const once = 'It failed once. It was not sent again, because the run ended.'
const notAgain = 'It failed once, and not when the same input was sent again.'

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
  /** Why the server ended after these inputs. */
  private readonly causes = new Map<GeneratedOutcome, DeathCause>()
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
    const sources = [...groupBy(this.tools, ({ ref }) => this.findSource(ref))].map(([source, tools]) => ({
      source,
      score: scoreServer(tools.map(({ score }) => score)),
    }))
    // An input of an earlier tool may have ended the server of a later one.
    const tools = this.tools.map(tool => ({
      ...tool,
      findings: this.findings.filter(({ ref }) => ref === tool.ref).length,
    }))
    const { ending } = this.calls
    const isShort = this.tools.some(({ cut }) => cut === cutReasons['max-calls'])
    const report = {
      seed,
      ending: ending === 'done' && isShort ? ('max-calls' as const) : ending,
      sent: countSent(this.tools),
      calls: this.calls.count,
      durationMs: Math.round(performance.now() - this.startedAt),
      tools,
      sources,
      coveragePercent: this.tools.some(isTested)
        ? toCoveragePercent(this.tools.map(({ coverage }) => coverage))
        : 0,
      skipped,
    }
    return { report, findings: this.findings }
  }

  private findSource(ref: string): string {
    return this.options.plans.find(({ tool }) => tool.ref === ref)?.tool.source ?? ''
  }

  /** @param budget the inputs that may be sent */
  private async checkTool(plan: ToolPlan, budget: number): Promise<CheckedTool> {
    const { tool, planned, inputs } = plan
    const callsBefore = this.calls.count
    const logStart = this.calls.log.length
    const { sent, cut } = await this.sendAll(plan, budget)
    await this.findLateDeath(plan, sent, logStart)
    const failed = sent.filter(({ assessment }) => isFailure(assessment.verdict))
    for (const group of groupBy(failed, ({ assessment }) => assessment.cause).values()) {
      this.addFinding(await this.explain(plan, group, sent))
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
      findings: 0,
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

  /** Finds why the server ended between calls, if it did. */
  private async findLateDeath(plan: ToolPlan, sent: GeneratedOutcome[], logStart: number): Promise<void> {
    if (sent.length === 0 || this.calls.isEnded) return
    const later = this.options.plans.slice(this.tools.length + 1)
    const isLast = !later.some(({ tool }) => tool.source === plan.tool.source)
    const endsNow = await this.calls.endsSoon(plan, isLast ? pings.lastOfSource : pings.last)
    const lives = [...groupBy(this.calls.log.slice(logStart), ({ life }) => life).values()]
    const ended = lives.filter(
      (calls, index) =>
        (endsNow && index === lives.length - 1) || this.calls.hasEnded(calls[0]?.life ?? '', plan),
    )
    const isKnown = (call: LoggedCall | undefined) =>
      call?.assessment.verdict === 'crash' || call?.assessment.verdict === 'hang'
    const last = ended.find(calls => !isKnown(calls.at(-1)))?.at(-1)
    if (last === undefined) return
    const cause = await this.findCause([], this.calls.inLife(last))
    if (cause === undefined || cause.type === 'once') return
    const found = cause.type === 'input' ? cause.outcome.planned : last.planned
    const at = sent.findIndex(({ planned }) => planned === found)
    // It is an input of an earlier tool.
    if (sent[at] === undefined) return this.addFinding(await this.describeDeath(plan, last, cause, 1))
    sent[at] = { ...sent[at], assessment: cause.type === 'input' ? lateDeath : rowDeath }
    this.causes.set(sent[at], cause)
  }

  private addFinding(finding: GeneratedFinding | undefined): void {
    // Another cause may have led to the same failure.
    if (finding === undefined || this.findings.some(({ id }) => id === finding.id)) return
    this.findings.push(finding)
    this.options.onFinding?.(finding)
  }

  private findCause(crashed: readonly LoggedCall[], calls: readonly LoggedCall[]) {
    return findDeathCause(this.calls, { crashed, calls, canSend: count => this.canSend(count) })
  }

  /** Whether so many calls are left for repeated and smaller inputs, besides the inputs of the tools that come later. */
  private canSend(count: number): boolean {
    return !this.calls.isOver && this.calls.left - count >= this.reserved
  }

  /** Repeats the failure, and shrinks its input. Returns undefined if it cannot be repeated and may be a coincidence. */
  private async explain(
    plan: ToolPlan,
    group: readonly GeneratedOutcome[],
    sent: GeneratedOutcome[],
  ): Promise<GeneratedFinding | undefined> {
    const [first] = group
    if (first === undefined) return undefined
    const describeOnce = () => this.describe(plan, first, { count: group.length, notes: [once] })
    if (this.calls.isOver) return describeOnce()
    const known = this.causes.get(first)
    if (known !== undefined) return this.describeDeath(plan, first, known, 1)
    if (first.assessment.verdict === 'crash' && first.life !== undefined)
      return this.explainCrash(plan, group, sent)
    const again = await this.calls.send(plan, first.planned)
    if (isFailure(again.assessment.verdict)) return this.shrink(plan, again, group.length)
    if (again.isCut === true && this.calls.isOver) return describeOnce()
    // A busy machine is slow too.
    if (first.assessment.verdict === 'hang') {
      sent[sent.indexOf(first)] = { ...first, assessment: untested }
      return undefined
    }
    return this.describe(plan, first, { count: group.length, notes: [notAgain] })
  }

  /** Finds what ended the server: one of these inputs, an earlier one, or several calls in a row. */
  private async explainCrash(
    plan: ToolPlan,
    group: readonly GeneratedOutcome[],
    sent: GeneratedOutcome[],
  ): Promise<GeneratedFinding | undefined> {
    const crashed = group.flatMap(({ planned, life }) => {
      return this.calls.log.find(call => call.planned === planned && call.life === life) ?? []
    })
    const [first] = group
    const [firstCall] = crashed
    if (first === undefined || firstCall === undefined) return undefined
    const cause = await this.findCause(crashed, this.calls.inLife(firstCall))
    if (cause === undefined) return this.describe(plan, first, { count: group.length, notes: [once] })
    if (cause.type === 'input' && !group.some(({ planned }) => planned === cause.outcome.planned)) {
      // The answer of an earlier input came, and its server ended during this call.
      sent[sent.indexOf(first)] = { ...first, assessment: untested }
      const at = sent.findIndex(({ planned }) => planned === cause.outcome.planned)
      if (sent[at] !== undefined) sent[at] = { ...sent[at], assessment: lateDeath }
    }
    return this.describeDeath(plan, first, cause, group.length)
  }

  private describeDeath(
    plan: ToolPlan,
    first: GeneratedOutcome,
    cause: DeathCause,
    count: number,
  ): Promise<GeneratedFinding | undefined> | GeneratedFinding | undefined {
    if (cause.type === 'once') return this.describe(plan, first, { count, notes: [notAgain] })
    if (cause.type === 'calls') return describeRow(plan, cause, count, this.options)
    const { outcome } = cause
    return outcome.assessment === lateDeath
      ? this.describe(cause.plan, outcome, { count: 1, notes: [] })
      : this.shrink(cause.plan, outcome, count)
  }

  private async shrink(
    plan: ToolPlan,
    failed: GeneratedOutcome,
    count: number,
  ): Promise<GeneratedFinding | undefined> {
    const { planned, assessment } = failed
    const { tool } = plan
    const canSend = () => this.canSend(1)
    let { message } = assessment
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
            return !canSend()
          },
        },
      },
    )
    // An input may have ended a server that the inputs before it had worn out.
    if (assessment.verdict === 'crash' && input !== planned.input && (await this.calls.startAgain(plan))) {
      const again = await this.calls.send(plan, { ...planned, input })
      if (again.assessment.cause !== assessment.cause)
        return this.describe(plan, failed, { count, notes: [] })
    }
    const smallest = { ...failed, planned: { ...planned, input }, assessment: { ...assessment, message } }
    return this.describe(plan, smallest, { count, notes: [], isSmallest })
  }

  private describe(plan: ToolPlan, outcome: GeneratedOutcome, facts: FindingFacts) {
    const { catalog, seed } = this.options
    return describeFinding(plan, outcome, facts, { catalog, seed })
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

const cutReasons: Readonly<Record<RunEnding, string>> = {
  done: '',
  'max-calls': 'the budget of calls was used up',
  time: 'the time was over',
  stopped: 'the run was stopped',
}
