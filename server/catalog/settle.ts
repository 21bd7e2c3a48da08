/** Waits until files have come to rest: a write in pieces, or a file that is taken away and put back, is one change. */
import { type Stats, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Quiet after the last event before we look. */
export const restMs = 150
/** Between two looks that must agree. */
const lookMs = 60
/** How long a file may be away before that counts as a change. */
const returnMs = 1_000
/** Something that never rests (a log among the watched files) is told of all the same. */
const maxRestMs = 10_000

/** The prints of the files once they rest. @param before how they were when they were last told of */
export async function settled(
  paths: readonly string[],
  before: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const started = Date.now()
  for (let last = filePrints(paths); ; ) {
    await setTimeout(lookMs, undefined, { ref: false })
    const now = filePrints(paths)
    const waited = Date.now() - started
    const mayReturn = lacksSome(before, now) && waited < returnMs
    if ((samePrints(last, now) && !mayReturn) || waited > maxRestMs) return now
    last = now
  }
}

/** `''` for a file that is not there, or that we may not see. */
function filePrint(path: string): string {
  try {
    const { size, mtimeMs, ino }: Stats = statSync(path)
    return `${size} ${mtimeMs} ${ino}`
  } catch {
    return ''
  }
}

export function filePrints(paths: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...paths].map(path => [path, filePrint(path)]))
}

export function samePrints(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, print]) => b.get(path) === print)
}

/** Whether a file that was there is gone: an editor or a build may be about to put its successor in place. */
function lacksSome(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return [...before].some(([path, print]) => print !== '' && now.get(path) === '')
}
