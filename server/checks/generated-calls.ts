/** The calls of a run of generated checks: their budget, their rate, and whether the server survives each of them. */
import { performance } from 'node:perf_hooks'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { type Assessment, assessAnswer, diedAfterAnswer } from '../../core/checks/assess-answer.ts'
import type { RunEnding } from '../../core/checks/generated-checks.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import type { EndedEvent, FailureReason } from '../../core/tool/invocation.ts'
import type { Caller } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { runWithLimit } from '../process/run-with-limit.ts'
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
  /**
   * The start of the server that answered: equal for calls to the same process. Absent if the source has no server that
   * runs between calls.
   */
  readonly life?: string | undefined
  /** The call did not reach the tool, or the end of the run cancelled it. */
  readonly isCut?: boolean
  /** Why no other input of the tool can be tested either. */
  readonly refusal?: string
}

/** A call of the run to a server that runs between calls. */
export interface LoggedCall extends GeneratedOutcome {
  readonly plan: ToolPlan
  readonly life: string
}

/** The assessment of an input after whose answer the server ended. */
export const lateDeath: Assessment = {
  verdict: 'crash',
  message: diedAfterAnswer,
  cause: 'crash after the answer',
}

/** Reasons that concern a tool or its source, whatever the input. */
const refusals: readonly FailureReason[] = ['not-approved', 'sign-in-needed']

/** Milliseconds in which a server is started again. */
const maxStartMs = 60_000

/** Milliseconds in which a server answers whether it is alive. */
const aliveMs = 3_000

export const untested: Assessment = {
  verdict: 'not-tested',
  message: 'The call says nothing about the tool.',
  cause: '',
}

export class GeneratedCalls {
  count = 0
  /** In the order of their endings. */
  readonly log: LoggedCall[] = []
  /** The sessions of the sources, in the order of their first calls. */
  private readonly sessions: Session[] = []
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
    const outcome = await this.sendOnce(plan, planned)
    const { life } = outcome
    if (life !== undefined) this.log.push({ ...outcome, plan, life })
    return outcome
  }

  private async sendOnce(plan: ToolPlan, planned: PlannedCall): Promise<GeneratedOutcome> {
    await this.waitForTurn()
    const undecided = { planned, assessment: untested, isOutputChecked: false }
    if (this.isOver) return { ...undecided, isCut: true }
    this.count += 1
    const { tool } = plan
    const meant = { input: planned.input, answers: [], secrets: new Map<string, string>() }
    const limits = { tool, timeoutMs: this.limits.callTimeoutMs, signal: this.stop.signal }
    try {
      const { ending, unanswered } = await sendInput(meant, limits, this.limits.call)
      // A tool that asks something has not decided about its input yet.
      const life = this.readLife(plan)
      if (unanswered !== undefined) return { ...undecided, life }
      if (ending.type === 'failure' && refusals.includes(ending.reason))
        return { ...undecided, isCut: true, refusal: ending.message }
      if (ending.type === 'failure' && ending.reason === 'cancelled' && this.stop.signal.aborted)
        return { ...undecided, isCut: true }
      const isTimeout = ending.type === 'failure' && ending.reason === 'timeout'
      const isLost = ending.type === 'failure' && ending.reason === 'network'
      const isAlive = planned.kind === 'invalid' || isTimeout || isLost ? await this.isAlive(plan) : undefined
      const assessment = assessAnswer(planned, ending, isTimeout ? undefined : isAlive)
      return { planned, assessment, isOutputChecked: hasCheckedOutput(ending), life }
    } catch (thrown) {
      // The server stops: no other call of the run says anything about a tool.
      if (thrown instanceof AppError && thrown.code === 'draining') this.end('stopped')
      return { ...undecided, refusal: toErrorMessage(thrown), isCut: true }
    }
  }

  /** Returns undefined if the source has no server that runs between calls, or if the run is over. */
  async isAlive(plan: ToolPlan): Promise<boolean | undefined> {
    const isAlive = await this.findSession(plan)?.isAlive?.(this.stop.signal, aliveMs)
    return this.stop.signal.aborted ? undefined : isAlive
  }

  /** Returns whether the server ends soon after an answer. @param pings how often it is asked, 50 ms apart */
  endsSoon(plan: ToolPlan, pings: number): Promise<boolean> {
    return endsSoon(this.findSession(plan), { pings, timeoutMs: aliveMs, signal: this.stop.signal })
  }

  /** Returns `LoggedCall.life` of a call that ends now. */
  private readLife(plan: ToolPlan): string | undefined {
    const session = this.findSession(plan)
    if (session?.isAlive === undefined) return undefined
    if (!this.sessions.includes(session)) this.sessions.push(session)
    return `${this.sessions.indexOf(session)} ${session.starts ?? 0}`
  }

  /** Returns the calls to the same process, up to this one, in their order. */
  inLife(last: LoggedCall): readonly LoggedCall[] {
    const calls = this.log.filter(({ life }) => life === last.life)
    return calls.slice(0, calls.indexOf(last) + 1)
  }

  /** Whether the server in whose life a call was made ended by itself: it was not Toolscope that opened the source again. */
  hasEnded(life: string, plan: ToolPlan): boolean {
    const [session, starts] = life.split(' ')
    const [currentSession, currentStarts] = (this.readLife(plan) ?? '').split(' ')
    return session === currentSession && Number(currentStarts) > Number(starts)
  }

  /** Starts the server of a tool again. Returns false if it is not a program of Toolscope's, or runs calls of others. */
  async startAgain({ tool }: ToolPlan): Promise<boolean> {
    const { sources } = this.limits.catalog
    const connection = sources.find(tool.source)
    const { session } = connection ?? {}
    if (session?.isAlive === undefined || connection?.spec.url !== undefined) return false
    if (this.isEnded || session.busy?.() === true) return false
    const limits = [this.stop.signal]
    return runWithLimit(limits, maxStartMs, () => sources.restart(tool.source)).then(
      ({ status }) => status === 'ready',
      () => false,
    )
  }

  /** Returns undefined if the user has stopped or removed the source. */
  private findSession({ tool }: ToolPlan): Session | undefined {
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
