/** Long work in steps: run as a whole, or in slices between which the thread does other work. */

/** Work that yields after each part and returns its result. */
export type Slices<Result> = Generator<unknown, Result, undefined>

/** Runs all steps now. */
export function finish<Result>(steps: Slices<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
