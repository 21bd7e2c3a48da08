/** Long work in steps: done at once, or in slices between which other work of the thread runs. */

/** Work that yields after each part of it, and returns its result. */
export type Steps<Result> = Generator<unknown, Result, undefined>

/** Does all of it now. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
