/**
 * How much work one question may cost, and the error that ends it when it costs more. Work is counted in steps and never
 * timed: the same question has the same answer on a busy machine. Who must answer in time ends the whole thread
 * (server/versions/diff-service.ts).
 */

export interface Limits {
  /**
   * Steps for one question. A step is a term built or looked up, a schema applied to a value, a state of a pattern: from
   * one to five microseconds on a machine of 2024.
   */
  readonly steps: number
  /** Nesting of schemas and values followed. */
  readonly depth: number
  /** States explored for one question about text. */
  readonly states: number
  /** Longest array, text or list of keys built for a witness. */
  readonly size: number
}

export const defaultLimits: Limits = {
  steps: 80_000,
  depth: 120,
  states: 20_000,
  size: 2_000,
}

/** Steps that matching a pattern is worth: most of it is reading the pattern, whether or not it was read before. */
export const patternSteps = 20

/** Thrown where a question cannot be answered: the verdict becomes `unknown` with this reason. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Undecided'
  }
}

/** Thrown when the whole question has used up its steps; nothing inside may catch it. */
export class OutOfBudget extends Error {}

/** Counts the steps of one question, or of many that share them. */
export class Budget {
  readonly limits: Limits
  /** Steps taken so far. */
  used = 0
  private end: number

  constructor(limits: Limits) {
    this.limits = limits
    this.end = limits.steps
  }

  /** Steps that are left, 0 or less when there are none. */
  get left(): number {
    return this.end - this.used
  }

  /** Allows so many steps from here on. */
  renew(steps: number): void {
    this.end = this.used + steps
  }

  /** @param cost how many steps the work is worth. @throws OutOfBudget when they have run out. */
  step(cost = 1): void {
    this.used += cost
    if (this.used > this.end) throw new OutOfBudget('too many steps')
  }
}
