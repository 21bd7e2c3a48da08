/** Limits how much work runs at the same time; the rest waits in a queue, first come, first served. */
import { listenForAbort } from './run-with-limit.ts'

/** Minimum time between two reports of a position in the queue. */
const reportIntervalMs = 500

interface Turn {
  readonly admitted: Promise<void>
  admit(): void
  isAdmitted: boolean
  isPaused: boolean
}

interface LineEvents<Event> {
  position(rank: number): Event
  gone(): Event
  /** True if the work waits from this event on, false if it goes on, undefined if the event changes nothing. */
  pauses?(event: Event): boolean | undefined
}

export class WaitingLine {
  private readonly max: number
  private running = 0
  private readonly line: Turn[] = []

  /** @param max maximum number of works that run at the same time */
  constructor(max: number) {
    this.max = max
  }

  /** How many works wait for their turn. */
  get waiting(): number {
    return this.line.length
  }

  /**
   * Runs the work in its turn and passes on what it yields. While it waits, yields `position(n)`, from 1, and
   * `position(0)` when its turn comes; nothing if it does not wait. Yields `gone()` if the signal aborts before its
   * turn. While an event pauses the work, the next one has its place; work that goes on does not wait again.
   */
  async *inTurn<Event>(
    work: () => AsyncIterable<Event>,
    signal: AbortSignal,
    { position, gone, pauses }: LineEvents<Event>,
  ): AsyncGenerator<Event> {
    const turn = this.join()
    try {
      let reported = 0
      while (!turn.isAdmitted && !signal.aborted) {
        const rank = this.line.indexOf(turn) + 1
        if (rank !== reported) yield position(rank)
        reported = rank
        await untilFirst(turn.admitted, signal, reportIntervalMs)
      }
      if (!turn.isAdmitted) return yield gone()
      if (reported > 0) yield position(0)
      for await (const event of work()) {
        const change = pauses?.(event)
        if (change !== undefined) this.pause(turn, change)
        yield event
      }
    } finally {
      this.endTurn(turn)
    }
  }

  /**
   * The same for work with one result. If the signal is aborted, the work starts at once, so that it can report that
   * itself.
   */
  async once<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const turn = this.join()
    try {
      while (!turn.isAdmitted && !signal.aborted) await untilFirst(turn.admitted, signal, 60_000)
      return await work()
    } finally {
      this.endTurn(turn)
    }
  }

  private pause(turn: Turn, isPaused: boolean): void {
    if (turn.isPaused === isPaused) return
    turn.isPaused = isPaused
    this.running += isPaused ? -1 : 1
    this.admitNext()
  }

  private join(): Turn {
    const { promise, resolve } = newPromise()
    const turn: Turn = {
      admitted: promise,
      isAdmitted: false,
      isPaused: false,
      admit() {
        turn.isAdmitted = true
        resolve()
      },
    }
    this.line.push(turn)
    this.admitNext()
    return turn
  }

  private endTurn(turn: Turn): void {
    if (turn.isAdmitted) this.running -= turn.isPaused ? 0 : 1
    else this.line.splice(this.line.indexOf(turn), 1)
    this.admitNext()
  }

  private admitNext(): void {
    while (this.running < this.max) {
      const next = this.line.shift()
      if (next === undefined) return
      this.running += 1
      next.admit()
    }
  }
}

function newPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Resolves when the promise does, the signal aborts or the time is over; leaves no listener and no timer behind. */
async function untilFirst(promise: Promise<void>, signal: AbortSignal, ms: number): Promise<void> {
  const { promise: over, resolve: end } = newPromise()
  const stopListening = listenForAbort([signal], end)
  const timer = setTimeout(end, ms)
  await Promise.race([promise, over])
  clearTimeout(timer)
  stopListening()
}
