/** Keeps the sources of a file (toolscope.json, an mcp.json) in line with that file while the program runs. */
import type { SourceState } from '../../core/api/sources.ts'
import { toAppError } from '../../core/errors.ts'
import type { SourceSpec } from '../sources/source.ts'
import { mayStart, type SourceRegistry } from './source-registry.ts'
import { watchFiles } from './watch-files.ts'

export interface ConfigFile {
  /** Absolute; several if they are read as one. */
  readonly paths: readonly string[]
  /**
   * Returns the sources that the file names now. Throws an AppError if it cannot be read; open sources then stay open.
   */
  read(): readonly SourceSpec[]
  /**
   * Whether new and changed sources of the file are opened. Untrusted ones never are. If false, they are only listed
   * and a source with an outdated entry is stopped, so nothing starts that the user has not seen.
   */
  readonly opens: boolean
}

/** Opens or lists the file's sources. Resolves as soon as they are in the list; `opened` resolves when all are read. */
export function configSources(
  sources: SourceRegistry,
  file: ConfigFile,
  specs: readonly SourceSpec[],
): { readonly opened: Promise<unknown>; readonly update: () => Promise<void> } {
  const known = new Map<string, { readonly name: string; readonly definition: string }>()
  const add = (spec: SourceSpec): Promise<SourceState> => {
    const before = new Set(sources.list().map(each => each.name))
    const added = sources.add(file.opens ? spec : { ...spec, listedOnly: true })
    // The catalog names the source before it opens it: `acme`, or `acme-2` if that name is in use.
    const name = sources.list().find(each => !before.has(each.name))?.name ?? spec.settings.name
    known.set(spec.settings.name, { name, definition: spec.definition })
    return added
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
  const update = async () => {
    const next = new Map(file.read().map(spec => [spec.settings.name, spec] as const))
    const gone = [...known].filter(([name]) => !next.has(name))
    for (const [name] of gone) known.delete(name)
    await Promise.all([
      // The user may have removed some of them on the page.
      ...gone.map(([, { name }]) => sources.find(name) && sources.remove(name)),
      ...[...next.values()].map(async spec => {
        const old = known.get(spec.settings.name) ?? savedInPage(spec.settings.name)
        if (old === undefined) await add(spec)
        else if (old.definition !== spec.definition) {
          known.set(spec.settings.name, { ...old, definition: spec.definition })
          await sources.find(old.name)?.replace(spec, file.opens && mayStart(spec))
        }
      }),
    ])
  }
  return { opened: Promise.all(specs.map(add)), update }
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
