/**
 * Watches a set of files through the folders that hold them, so that files that are replaced by a rename, taken away
 * or not yet there are seen as well as those that are written in place.
 */

import { dirname } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { messageOf } from '../../core/errors.ts'
import { isDirectory } from '../process/command-line.ts'
import { filePrints, restMs, samePrints, settled } from './settle.ts'

/** Files beyond these are not watched. */
const maxFiles = 5_000

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, at) => other[at] === each)

export interface FileWatch {
  /** Watches these from now on; a change since the last call, of a file that both sets hold, is told of. */
  set(paths: readonly string[]): void
  close(): Promise<void>
}

/** Calls `changed` once the files rest after a change. `failed` is told why there is no watching. */
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
      // Another set was named meanwhile: its own prints count.
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
      // Renames are told apart by looking at the files themselves.
      atomic: false,
      ignored: path => !wanted.has(path) && !held.has(path),
    })
    made.on('all', noticed)
    // What changed before the folders were watched has no event.
    made.on('ready', noticed)
    made.on('error', thrown => failed(messageOf(thrown)))
    watcher = made
  }

  return {
    set(next) {
      const wanted = [...new Set(next)].sort().slice(0, maxFiles)
      const holding = [...new Set(wanted.map(path => dirname(path)))].filter(isDirectory)
      // A folder that came later is watched too.
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
