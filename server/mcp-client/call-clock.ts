/** The time limit of one call. It is paused while a person answers the server. */

/** Why a call was ended before its server answered. */
export type StopReason = 'cancelled' | 'timeout' | 'too-many-questions'

export class CallClock {
  /** Aborted when the time is over, by the caller's signal, or by `stop`. */
  readonly signal: AbortSignal
  reason: StopReason | undefined
  private readonly controller = new AbortController()
  private readonly caller: AbortSignal
  private readonly onAbort = () => this.stop('cancelled')
  private leftMs: number
  private runsSince: number | undefined
  private timer: NodeJS.Timeout | undefined
  private pauses = 0

  constructor(timeoutMs: number, caller: AbortSignal) {
    this.signal = this.controller.signal
    this.leftMs = timeoutMs
    this.caller = caller
    if (caller.aborted) this.onAbort()
    else caller.addEventListener('abort', this.onAbort, { once: true })
    this.run()
  }

  /** Pauses the clock. Pauses are counted: it continues after the same number of `resume`. */
  pause(): void {
    this.pauses += 1
    if (this.runsSince === undefined) return
    this.leftMs -= performance.now() - this.runsSince
    this.runsSince = undefined
    clearTimeout(this.timer)
  }

  resume(): void {
    this.pauses -= 1
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
    this.timer = setTimeout(() => this.stop('timeout'), Math.max(1, this.leftMs))
  }
}
