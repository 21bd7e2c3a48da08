/** Cheap signs that a file is another one than before: size, time of change, identity. */
import { type Stats, statSync } from 'node:fs'

/** `''` for a file that is not there, or that we may not see. */
export function filePrint(path: string): string {
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
export function lacksSome(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return [...before].some(([path, print]) => print !== '' && now.get(path) === '')
}
