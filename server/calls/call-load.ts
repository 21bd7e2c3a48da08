/** The calls of one server: how many run and wait, how they end, and whether new ones are accepted. */
import { AppError } from '../../core/errors.ts'
import type { InvocationOutcome } from '../../core/tool/outcome.ts'
import { Emitter } from '../process/events.ts'
import { WaitingLine } from '../process/waiting-line.ts'

/** Default maximum number of calls that run at the same time; other calls wait in the queue. */
const defaultMaxCalls = 32

export interface CallSummary {
  /** Name of the source. */
  readonly source: string
  readonly outcome: Exclude<InvocationOutcome, 'unfinished'>
  /** Milliseconds from the request to the ending: the time in the queue and of validation included. */
  readonly durationMs: number
}

export class CallLoad {
  /** Maximum number of calls that run at the same time. */
  readonly max: number
  readonly line: WaitingLine
  private open = 0
  private refuses = false
  private readonly ended = new Emitter<CallSummary>()
  private readonly idle = new Emitter<void>()
  private readonly stop = new AbortController()

  constructor(max = defaultMaxCalls) {
    this.max = max
    this.line = new WaitingLine(max)
  }

  /** The calls that have begun and have not ended. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const { waiting } = this.line
    return { running: Math.max(0, this.open - waiting), waiting }
  }

  /** Aborts when every call has to end. */
  get stopped(): AbortSignal {
    return this.stop.signal
  }

  /** Throws AppError `draining` after `refuseNew`. */
  demandOpen(): void {
    if (this.refuses) throw new AppError('draining', 'it waits for the calls that run, and takes no new ones')
  }

  /** Counts a call that begins. Call the returned function once, when it has ended. */
  begin(): (ended: CallSummary) => void {
    this.open += 1
    return ended => {
      this.open -= 1
      this.ended.emit(ended)
      if (this.open === 0) this.idle.emit()
    }
  }

  /** Calls `listener` for every call that ends, until the returned function is called. */
  onEnded(listener: (ended: CallSummary) => void): () => void {
    return this.ended.on(listener)
  }

  /** Refuses every further call. */
  refuseNew(): void {
    this.refuses = true
  }

  /** Cancels the calls that run or wait. */
  stopAll(): void {
    this.stop.abort()
  }

  /** Resolves when no call runs or waits, or after `maxMs` milliseconds. */
  async untilIdle(maxMs: number): Promise<void> {
    if (this.open === 0) return
    await new Promise<void>(resolve => {
      const end = () => {
        stopListening()
        clearTimeout(timer)
        resolve()
      }
      const stopListening = this.idle.on(end)
      const timer = setTimeout(end, maxMs)
    })
  }
}
