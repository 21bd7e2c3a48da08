/**
 * Bundles modules of the program that are loaded together into one file. Finding and reading a file takes as long as
 * compiling 15 kB, and the bundler's default is hundreds of files: one for each set of entries that share a module
 * (docs/decisions/051).
 */
import type { Rolldown } from 'vite'

/** Each file contains its module's imports, without those of the files before it. Null leaves them to the bundler. */
const files = [
  ['program', 'server/commands/program.ts'],
  ['tap', 'server/commands/tap.ts'],
  ['catalog', 'server/commands/open-catalog.ts'],
  [null, 'server/commands/list.ts'],
  ['call', 'server/commands/call.ts'],
  ['calls', 'server/calls/call.ts'],
  ['store', 'server/commands/open-calls.ts'],
] as const

/** These stay small: they load nothing from the files above, except for what the validator shares with the catalog. */
const validation = 'server/workers/worker.ts'
const apart = [
  'server/main.ts',
  'server/versions/changelog-worker.ts',
  'server/versions/diff-worker.ts',
  'server/calls/script-worker.ts',
  'server/workers/token-worker.ts',
]

/** @param path returns the absolute path of a project file */
export function joinFiles(path: (relative: string) => string): Rolldown.CodeSplittingOptions {
  const loadedBy = new Map<string, ReadonlySet<string>>()
  const chooseFile = (id: string, modules: Rolldown.ChunkingContext): string | null => {
    const isLoadedBy = (module: string) => {
      const loaded = loadedBy.get(module) ?? allImports(path(module), modules)
      loadedBy.set(module, loaded)
      return loaded.has(id)
    }
    const file = files.find(([, module]) => isLoadedBy(module))?.[0] ?? null
    if (isLoadedBy(validation)) return file === 'store' ? null : file && 'core'
    return apart.some(isLoadedBy) ? null : file
  }
  return { includeDependenciesRecursively: false, groups: [{ name: chooseFile, debugName: 'joined files' }] }
}

/**
 * The same for the page, whose files are compressed one by one: its first load was 63 files, and 20 kB (brotli) larger
 * than as one file.
 *
 * @param path returns the absolute path of a project file
 */
export function joinFirstLoad(path: (relative: string) => string): Rolldown.CodeSplittingOptions {
  let loaded: ReadonlySet<string> | undefined
  const chooseFile = (id: string, modules: Rolldown.ChunkingContext) => {
    loaded ??= allImports(path('src/main.tsx'), modules)
    return loaded.has(id) ? 'first' : null
  }
  return { includeDependenciesRecursively: false, groups: [{ name: chooseFile, debugName: 'first load' }] }
}

/** Returns all static imports of a module, without itself. */
function allImports(entry: string, modules: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set(modules.getModuleInfo(entry)?.importedIds)
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
