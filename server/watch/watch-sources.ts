/** Keeps the catalog true to the files that its open sources are made of. */
import type { SourceRegistry } from '../catalog/source-registry.ts'
import { type FileWatch, watchFiles } from './watch-files.ts'

/** Watches until the returned function is called. @param say told once where files cannot be watched */
export function watchSources(sources: SourceRegistry, say: (line: string) => void): () => Promise<void> {
  const watches = new Map<string, FileWatch>()
  let told = false
  const failed = (message: string) => {
    if (told) return
    told = true
    say(`Files cannot be watched (${message}); read a source again by hand after a change.`)
  }
  const follow = () => {
    const wanted = sources.watchedFiles()
    for (const [name, watch] of watches) {
      if (wanted.has(name)) continue
      watches.delete(name)
      void watch.close()
    }
    for (const [name, paths] of wanted) {
      let watch = watches.get(name)
      if (watch === undefined) {
        watch = watchFiles(() => void sources.find(name)?.fileChanged(), failed)
        watches.set(name, watch)
      }
      watch.set(paths)
    }
  }
  const stop = sources.onChange(follow)
  follow()
  return async () => {
    stop()
    await Promise.all([...watches.values()].map(watch => watch.close()))
  }
}
