/** Keeps the sources of a file (toolscope.json, an mcp.json) in line with that file while the program runs. */
import type { SourceState } from '../../core/api/sources.ts'
import { toAppError } from '../../core/errors.ts'
import { mayStart, type SourceSpec } from '../sources/source.ts'
import { turns } from '../workers/run-slices.ts'
import type { SourceRegistry } from './source-registry.ts'
import { watchFiles } from './watch-files.ts'

export interface ConfigFile {
  /** Absolute; several if they are read as one. */
  readonly paths: readonly string[]
  /**
   * Returns the sources that the file names now. Throws an AppError, or rejects with it, if it cannot be read; open
   * sources then stay open.
   */
  read(): readonly SourceSpec[] | Promise<readonly SourceSpec[]>
  /**
   * Whether new and changed sources of the file are opened. Untrusted ones never are. If false, they are only listed
   * and a source with an outdated entry is stopped, so nothing starts that the user has not seen.
   */
  readonly opens: boolean
}

export interface FollowedSources {
  readonly listed: Promise<unknown>
  /** Resolves when they are also read. */
  readonly opened: Promise<unknown>
  /** Reads the file and applies its changes. Rejects if the file cannot be read. */
  readonly update: () => Promise<void>
  /** Resolves when no source of the file is added any more. */
  readonly stop: () => Promise<void>
}

/** Opens or lists the file's sources, in slices: a file may name thousands of them. */
export function configSources(
  sources: SourceRegistry,
  file: ConfigFile,
  specs: readonly SourceSpec[],
): FollowedSources {
  const known = new Map<string, { readonly name: string; readonly definition: string }>()
  let isStopped = false
  let last: Promise<unknown> = Promise.resolve()

  /** Starts each piece of work, after all earlier ones; resolves with those that are still running. */
  const startEach = (pieces: () => AsyncIterable<() => Promise<unknown> | undefined>) => {
    const started = last.then(async () => {
      const turn = turns()
      const running: Promise<unknown>[] = []
      for await (const start of pieces()) {
        if (isStopped) break
        const work = start()
        // Its failure is reported at the end, not while others are started.
        work?.catch(() => {})
        if (work !== undefined) running.push(work)
        await turn()
      }
      return running
    })
    last = started.catch(() => {})
    return started
  }
  const add = (spec: SourceSpec): Promise<SourceState> => {
    // The catalog names the source before it opens it: `acme`, or `acme-2` if that name is in use.
    const { name, opened } = sources.addNamed(file.opens ? spec : { ...spec, listedOnly: true })
    known.set(spec.settings.name, { name, definition: spec.definition })
    return opened
  }
  /** Returns a source that "Save to toolscope.json" moved to this file: it stays open. */
  const savedInPage = (name: string) => {
    const { origin, definition } = sources.find(name)?.spec ?? {}
    if (definition === undefined || origin?.from !== 'file' || !file.paths.includes(origin.file))
      return undefined
    const saved = { name, definition }
    known.set(name, saved)
    return saved
  }
  const remove = (key: string, name: string) => {
    known.delete(key)
    // The user may have removed it on the page.
    return sources.find(name) && sources.remove(name)
  }
  const addOrReplace = (spec: SourceSpec) => {
    const existing = known.get(spec.settings.name) ?? savedInPage(spec.settings.name)
    if (existing === undefined) return add(spec)
    if (existing.definition === spec.definition) return undefined
    known.set(spec.settings.name, { ...existing, definition: spec.definition })
    return sources.find(existing.name)?.replace(spec, file.opens && mayStart(spec))
  }
  async function* changes() {
    const next = new Map((await file.read()).map(spec => [spec.settings.name, spec] as const))
    const gone = [...known].filter(([key]) => !next.has(key))
    for (const [key, { name }] of gone) yield () => remove(key, name)
    for (const spec of next.values()) yield () => addOrReplace(spec)
  }
  async function* additions() {
    for (const spec of specs) yield () => add(spec)
  }
  const listed = startEach(additions)
  return {
    listed,
    opened: listed.then(running => Promise.all(running)),
    async update() {
      await Promise.all(await startEach(changes))
    },
    async stop() {
      isStopped = true
      await last
    },
  }
}

/**
 * Follows the file until the returned function is called. @param say prints what is wrong with the file after each
 * change
 */
export function watchConfig(
  file: ConfigFile,
  update: () => Promise<void>,
  say: (line: string) => void,
): () => Promise<void> {
  const changed = () => {
    update().catch((thrown: unknown) => {
      const { detail, hint } = toAppError(thrown).toShape()
      say(`${detail}. What was open stays as it is. ${hint}`)
    })
  }
  const watch = watchFiles(changed, () => {})
  watch.set(file.paths)
  return () => watch.close()
}
