/** The time limit of one call. It is paused while a person answers the server, and progress can reset it. */

/** Why a call was ended before its server answered. */
export type StopReason = 'cancelled' | 'timeout' | 'longest-time' | 'too-many-questions'

export interface ClockLimits {
  readonly timeoutMs: number
  /** Milliseconds of the limit that have passed before the clock starts; 0 by default. */
  readonly waitedMs?: number | undefined
  /** Milliseconds in which progress can reset the limit; absent if progress does not reset it. */
  readonly longestMs?: number | undefined
}

export class CallClock {
  /** Aborted when the time is over, by the caller's signal, or by `stop`. */
  readonly signal: AbortSignal
  reason: StopReason | undefined
  private readonly controller = new AbortController()
  private readonly caller: AbortSignal
  private readonly onAbort = () => this.stop('cancelled')
  private readonly limits: ClockLimits
  private leftMs: number
  /** Milliseconds until progress no longer helps. */
  private longestLeftMs: number
  private runsSince: number | undefined
  private timer: NodeJS.Timeout | undefined
  private pauses = 0

  constructor(limits: ClockLimits, caller: AbortSignal) {
    const { timeoutMs, waitedMs = 0, longestMs = Number.POSITIVE_INFINITY } = limits
    this.signal = this.controller.signal
    this.limits = limits
    this.leftMs = timeoutMs - waitedMs
    this.longestLeftMs = longestMs - waitedMs
    this.caller = caller
    if (caller.aborted) this.onAbort()
    else caller.addEventListener('abort', this.onAbort, { once: true })
    this.run()
  }

  /** Pauses the clock. Pauses are counted: it continues after the same number of `resume`. */
  pause(): void {
    this.pauses += 1
    this.halt()
  }

  resume(): void {
    this.pauses -= 1
    if (this.pauses === 0) this.run()
  }

  /** The server reported progress: the call has its whole limit again, but ends after the longest time. */
  addProgress(): void {
    if (this.limits.longestMs === undefined || this.reason !== undefined) return
    this.halt()
    this.leftMs = this.limits.timeoutMs
    if (this.pauses === 0) this.run()
  }

  stop(reason: StopReason): void {
    this.reason ??= reason
    this.end()
    this.controller.abort(reason)
  }

  /** Stops the timer after the call has ended by itself. */
  end(): void {
    clearTimeout(this.timer)
    this.caller.removeEventListener('abort', this.onAbort)
  }

  private run(): void {
    if (this.reason !== undefined) return
    this.runsSince = performance.now()
    const { leftMs, longestLeftMs } = this
    const reason = longestLeftMs < leftMs ? 'longest-time' : 'timeout'
    this.timer = setTimeout(() => this.stop(reason), Math.max(1, Math.min(leftMs, longestLeftMs)))
  }

  private halt(): void {
    if (this.runsSince === undefined) return
    const passedMs = performance.now() - this.runsSince
    this.leftMs -= passedMs
    this.longestLeftMs -= passedMs
    this.runsSince = undefined
    clearTimeout(this.timer)
  }
}
