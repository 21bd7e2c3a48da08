/**
 * Watches a set of files through their folders, so that it also sees files that are replaced by a rename, removed or
 * created later.
 */

import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'
import { toErrorMessage } from '../../core/errors.ts'
import { isDirectory } from '../process/command-line.ts'
import type { SourceRegistry } from './source-registry.ts'

/** Files beyond this number are not watched. */
const maxFiles = 5_000

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, at) => other[at] === each)

export interface FileWatch {
  /** Watches these files from now on. Reports a change since the last call if the file is in both sets. */
  set(paths: readonly string[]): void
  close(): Promise<void>
}

/** Calls `changed` once the files have stopped changing. Calls `failed` with the reason if they cannot be watched. */
export function watchFiles(changed: () => void, failed: (message: string) => void): FileWatch {
  let paths: readonly string[] = []
  let folders: readonly string[] = []
  let prints: ReadonlyMap<string, string> = new Map()
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let again = false
  let closed = false

  const look = async () => {
    if (looking) {
      again = true
      return
    }
    looking = true
    do {
      again = false
      const watched = paths
      const now = await settled(watched, prints)
      if (closed) return
      // Another set was given in the meantime: its own prints count.
      if (watched !== paths) again = true
      else if (!samePrints(prints, now)) {
        prints = now
        changed()
      }
    } while (again)
    looking = false
  }
  const noticed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), restMs)
    timer.unref()
  }
  const start = () => {
    const wanted = new Set(paths)
    const held = new Set(folders)
    const made = watch([...folders], {
      ignoreInitial: true,
      depth: 0,
      // We detect renames ourselves, from the files' state.
      atomic: false,
      ignored: path => !wanted.has(path) && !held.has(path),
    })
    made.on('all', noticed)
    // A change before the folders were watched has no event.
    made.on('ready', noticed)
    made.on('error', thrown => failed(toErrorMessage(thrown)))
    watcher = made
  }

  return {
    set(next) {
      const wanted = [...new Set(next)].sort().slice(0, maxFiles)
      const holding = [...new Set(wanted.map(path => dirname(path)))].filter(isDirectory)
      // A folder that was created later is watched too.
      if (closed || (isEqual(wanted, paths) && isEqual(holding, folders))) return
      const known = prints
      void watcher?.close()
      paths = wanted
      folders = holding
      prints = new Map([...filePrints(wanted)].map(([path, print]) => [path, known.get(path) ?? print]))
      watcher = undefined
      if (wanted.length > 0) start()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await watcher?.close()
    },
  }
}

/* Waits until the files stop changing: a write in pieces, or a file that is removed and put back, is one change. */

/** Time without events before the files are read. */
const restMs = 150
/** Time between two readings that must be equal. */
const lookMs = 60
/** How long a file may be missing before that counts as a change. */
const returnMs = 1_000
/** The longest wait: a file that keeps changing, such as a log, is reported after it. */
const maxRestMs = 10_000

/** Returns the prints of the files once they stop changing. @param before the prints at the last report */
async function settled(
  paths: readonly string[],
  before: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const started = Date.now()
  for (let last = filePrints(paths); ; ) {
    await delay(lookMs, undefined, { ref: false })
    const now = filePrints(paths)
    const waited = Date.now() - started
    const mayReturn = lacksSome(before, now) && waited < returnMs
    if ((samePrints(last, now) && !mayReturn) || waited > maxRestMs) return now
    last = now
  }
}

/** Returns `''` for a file that does not exist or cannot be read. */
function filePrint(path: string): string {
  try {
    const { size, mtimeMs, ino }: Stats = statSync(path)
    return `${size} ${mtimeMs} ${ino}`
  } catch {
    return ''
  }
}

function filePrints(paths: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...paths].map(path => [path, filePrint(path)]))
}

function samePrints(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, print]) => b.get(path) === print)
}

/** Whether a file is missing that existed before: an editor or a build may be about to replace it. */
function lacksSome(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return [...before].some(([path, print]) => print !== '' && now.get(path) === '')
}

/** Watches until the returned function is called. @param say called once if files cannot be watched */
export function watchSources(sources: SourceRegistry, say: (line: string) => void): () => Promise<void> {
  const watches = new Map<string, FileWatch>()
  let hasFailed = false
  const failed = (message: string) => {
    if (hasFailed) return
    hasFailed = true
    say(`Files cannot be watched (${message}); read a source again by hand after a change.`)
  }
  const follow = (name: string) => {
    const source = sources.find(name)
    if (source === undefined) {
      void watches.get(name)?.close()
      watches.delete(name)
      return
    }
    const paths = source.session?.watch
    // A source that is being opened again still has the same files.
    if (paths === undefined) return
    const watch = watches.get(name) ?? watchFiles(() => void sources.find(name)?.fileChanged(), failed)
    watches.set(name, watch)
    watch.set(paths)
  }
  const stop = sources.onChange(({ what, source }) => {
    if (what === 'sources') follow(source)
  })
  for (const { name } of sources.list()) follow(name)
  return async () => {
    stop()
    await Promise.all([...watches.values()].map(watch => watch.close()))
  }
}
