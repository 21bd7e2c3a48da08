/** The calls of a run of generated checks: their budget, their rate, and whether the server survives each of them. */
import { performance } from 'node:perf_hooks'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { type Assessment, assessAnswer } from '../../core/checks/assess-answer.ts'
import type { RunEnding } from '../../core/checks/generated-checks.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import type { EndedEvent, FailureReason } from '../../core/tool/invocation.ts'
import type { Caller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Session } from '../sources/source.ts'
import type { PlannedCall, ToolPlan } from './plan-generated-checks.ts'
import { endsSoon, sendInput } from './run-example.ts'

export interface GeneratedCallLimits {
  readonly catalog: Catalog
  readonly call: Caller
  /** Maximum calls of the whole run. */
  readonly maxCalls: number
  /** Milliseconds for one call. */
  readonly callTimeoutMs: number
  /** Maximum calls in a second. */
  readonly rate?: number | undefined
}

export interface GeneratedOutcome {
  readonly planned: PlannedCall
  readonly assessment: Assessment
  readonly isOutputChecked: boolean
  /** The call did not reach the tool, or the end of the run cancelled it. */
  readonly isCut?: boolean
  /** Why no other input of the tool can be tested either. */
  readonly refusal?: string
}

/** Reasons that concern a tool or its source, whatever the input. */
const refusals: readonly FailureReason[] = ['not-approved', 'sign-in-needed']

/** Milliseconds in which a server answers whether it is alive. */
const aliveMs = 3_000

export const untested: Assessment = {
  verdict: 'not-tested',
  message: 'The call says nothing about the tool.',
  cause: '',
}

export class GeneratedCalls {
  count = 0
  /** Why the run ended; `done` while it goes on. */
  ending: RunEnding = 'done'
  private readonly limits: GeneratedCallLimits
  private readonly stop = new AbortController()
  /** When the next call may begin, if there is a rate. */
  private nextAt = 0

  constructor(limits: GeneratedCallLimits) {
    this.limits = limits
  }

  /** Ends the run and its current calls, for the first reason that is given. */
  end(ending: RunEnding): void {
    if (this.ending !== 'done') return
    this.ending = ending
    this.stop.abort()
  }

  /** The calls that the budget still allows. */
  get left(): number {
    return this.limits.maxCalls - this.count
  }

  /** Whether its time is over or it was stopped: nothing can be asked any more, for which no call is counted either. */
  get isEnded(): boolean {
    return this.stop.signal.aborted
  }

  get isOver(): boolean {
    if (this.ending === 'done' && this.left <= 0) this.ending = 'max-calls'
    return this.ending !== 'done'
  }

  /** Calls the tool once. Returns the verdict `not-tested` if the run is over. */
  async send(plan: ToolPlan, planned: PlannedCall): Promise<GeneratedOutcome> {
    await this.waitForTurn()
    const undecided = { planned, assessment: untested, isOutputChecked: false }
    if (this.isOver) return { ...undecided, isCut: true }
    this.count += 1
    const { tool } = plan
    const meant = { input: planned.input, answers: [], secrets: new Map<string, string>() }
    const limits = { ref: tool.ref, timeoutMs: this.limits.callTimeoutMs, signal: this.stop.signal }
    try {
      const { ending, unanswered } = await sendInput(meant, limits, this.limits.call)
      // A tool that asks something has not decided about its input yet.
      if (unanswered !== undefined) return undecided
      if (ending.type === 'failure' && refusals.includes(ending.reason))
        return { ...undecided, isCut: true, refusal: ending.message }
      if (ending.type === 'failure' && ending.reason === 'cancelled' && this.stop.signal.aborted)
        return { ...undecided, isCut: true }
      const isTimeout = ending.type === 'failure' && ending.reason === 'timeout'
      const isLost = ending.type === 'failure' && ending.reason === 'network'
      const isAlive = planned.kind === 'invalid' || isTimeout || isLost ? await this.isAlive(plan) : undefined
      const assessment = assessAnswer(planned, ending, isTimeout ? undefined : isAlive)
      return { planned, assessment, isOutputChecked: hasCheckedOutput(ending) }
    } catch (thrown) {
      // The server stops: no other call of the run says anything about a tool.
      if (thrown instanceof AppError && thrown.code === 'draining') this.end('stopped')
      return { ...undecided, refusal: toErrorMessage(thrown), isCut: true }
    }
  }

  /** Returns undefined if the source has no server that runs between calls, or if the run is over. */
  async isAlive(plan: ToolPlan): Promise<boolean | undefined> {
    const isAlive = await this.sessionOf(plan)?.isAlive?.(this.stop.signal, aliveMs)
    return this.stop.signal.aborted ? undefined : isAlive
  }

  /** Returns whether the server ends soon after an answer. @param pings how often it is asked, 50 ms apart */
  endsSoon(plan: ToolPlan, pings: number): Promise<boolean> {
    return endsSoon(this.sessionOf(plan), { pings, timeoutMs: aliveMs, signal: this.stop.signal })
  }

  /** Returns how often the server of the tool was started; 0 if its source has no server that runs between calls. */
  countStarts(plan: ToolPlan): number {
    return this.sessionOf(plan)?.starts ?? 0
  }

  /** Returns undefined if the user has stopped or removed the source. */
  private sessionOf({ tool }: ToolPlan): Session | undefined {
    return this.limits.catalog.sources.find(tool.source)?.session
  }

  private async waitForTurn(): Promise<void> {
    const { rate } = this.limits
    if (rate === undefined) return
    const now = performance.now()
    const at = Math.max(now, this.nextAt)
    this.nextAt = at + 1_000 / rate
    await setTimeoutPromise(at - now, undefined, { signal: this.stop.signal }).catch(() => {})
  }
}

function hasCheckedOutput(ending: EndedEvent): boolean {
  const { verdict } = ending.validation
  return ending.type === 'result' && ending.isError !== true && (verdict === 'valid' || verdict === 'invalid')
}
