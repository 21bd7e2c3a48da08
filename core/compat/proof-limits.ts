/**
 * Limits the work of one question, and defines the error that ends it. Work is counted in steps, never in time: the
 * same question has the same answer on a busy machine. A caller with a deadline ends the whole thread
 * (server/versions/diff-service.ts).
 */

export interface ProofLimits {
  /**
   * Maximum steps for one question. A step is a built or cached term, a schema applied to a value, or a state of a
   * pattern: one to five microseconds on a machine of 2024.
   */
  readonly steps: number
  /** Maximum nesting of schemas and values. */
  readonly depth: number
  /** Maximum states for one question about text. */
  readonly states: number
  /** Maximum length of an array, text or list of keys in a witness. */
  readonly size: number
}

export const defaultProofLimits: ProofLimits = {
  steps: 80_000,
  depth: 120,
  states: 20_000,
  size: 2_000,
}

/** The cost of matching a pattern: most of it is reading the pattern, even if it was read before. */
export const patternSteps = 20

/** Thrown if a question cannot be answered: the verdict becomes `unknown` with this reason. */
export class Undecided extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Undecided'
  }
}

/** Thrown if the whole question has used up its steps; code inside the question must not catch it. */
export class OutOfBudget extends Error {}

/** Counts the steps of one question, or of several that share them. */
export class Budget {
  readonly limits: ProofLimits
  /** Steps taken so far. */
  used = 0
  private end: number

  constructor(limits: ProofLimits) {
    this.limits = limits
    this.end = limits.steps
  }

  /** The remaining steps; 0 or less if none are left. */
  get left(): number {
    return this.end - this.used
  }

  /** Allows this many steps from now on. */
  renew(steps: number): void {
    this.end = this.used + steps
  }

  /** @param cost the steps of the work. @throws OutOfBudget if no steps are left */
  step(cost = 1): void {
    this.used += cost
    if (this.used > this.end) throw new OutOfBudget('too many steps')
  }
}
