/** Watches the files of the open sources and refreshes the catalog when they change. */
import type { SourceRegistry } from './source-registry.ts'
import { type FileWatch, watchFiles } from './watch-files.ts'

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
