/** How much work one question may cost, and the error that ends it when it costs more. */

export interface Limits {
  /** Milliseconds for one question. */
  readonly milliseconds: number
  /** Steps of the search for one question; a step is one conjunction looked at. */
  readonly steps: number
  /** Nesting of schemas and values followed. */
  readonly depth: number
  /** States explored for one question about text. */
  readonly states: number
  /** Longest array, text or list of keys built for a witness. */
  readonly size: number
}

export const defaultLimits: Limits = {
  milliseconds: 320,
  steps: 200_000,
  depth: 120,
  states: 20_000,
  size: 2_000,
}

/** Thrown where a question cannot be answered: the verdict becomes `unknown` with this reason. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Undecided'
  }
}

/** Thrown when the whole question has used up its time or steps; nothing inside may catch it. */
export class OutOfBudget extends Error {}

/** A step takes far less; a longer gap is time that the machine gave to others, and counts as this much. */
const maxStepMs = 25

/** Counts steps and the time that they take. */
export class Budget {
  readonly limits: Limits
  private steps = 0
  private used = 0
  private last = Date.now()

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** @throws OutOfBudget when time or steps have run out. */
  step(): void {
    this.steps += 1
    if (this.steps > this.limits.steps) throw new OutOfBudget('too many steps')
    const now = Date.now()
    this.used += Math.min(now - this.last, maxStepMs)
    this.last = now
    if (this.used > this.limits.milliseconds) throw new OutOfBudget('out of time')
  }
}
