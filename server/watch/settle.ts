/** Waits until files have come to rest: a write in pieces, or a file that is taken away and put back, is one change. */
import { filePrints, lacksSome, samePrints } from './file-print.ts'

/** Quiet after the last event before we look. */
export const REST_MS = 150
/** Between two looks that must agree. */
const LOOK_MS = 60
/** How long a file may be away before that counts as a change. */
const RETURN_MS = 1_000
/** Something that never rests (a log among the watched files) is told of all the same. */
const MOST_MS = 10_000

const wait = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds).unref())

/** The prints of the files once they rest. @param before how they were when they were last told of */
export async function settled(
  paths: readonly string[],
  before: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const started = Date.now()
  for (let last = filePrints(paths); ; ) {
    await wait(LOOK_MS)
    const now = filePrints(paths)
    const waited = Date.now() - started
    const mayReturn = lacksSome(before, now) && waited < RETURN_MS
    if ((samePrints(last, now) && !mayReturn) || waited > MOST_MS) return now
    last = now
  }
}
