/** Time for a whole comparison of manifests, shared out question by question, so that nothing hangs. */

/** Milliseconds that one question may take. Steps are what ends most: time alone would make a busy machine guess less. */
const maxForOne = 1_000
/** For the question on two whole schemas, on which all others hang. */
const maxForWhole = 2_500

export class Clock {
  private readonly deadline: number

  /** @param milliseconds for everything that is asked. */
  constructor(milliseconds: number) {
    this.deadline = Date.now() + milliseconds
  }

  /** Milliseconds for the next question; 0 when the time is used up. */
  share(isWhole = false): number {
    return Math.max(0, Math.min(isWhole ? maxForWhole : maxForOne, this.deadline - Date.now()))
  }
}
