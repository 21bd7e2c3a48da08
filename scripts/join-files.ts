/**
 * Puts modules of the program that are loaded together into one file. To find and read a file takes as long as to compile
 * 15 kB, and by itself the bundler makes hundreds: one for each set of entries that share a module (docs/decisions/051).
 */
import type { Rolldown } from 'vite'

/** Each file holds what its module imports, and the ones before it do not; without a name the bundler decides. */
const files = [
  ['program', 'server/commands/program.ts'],
  ['catalog', 'server/commands/open-catalog.ts'],
  [null, 'server/commands/list.ts'],
  ['call', 'server/commands/call.ts'],
  ['calls', 'server/calls/call.ts'],
  ['store', 'server/commands/open-calls.ts'],
] as const

/** These stay small: they load nothing that is in the files above, but for what the validator shares with the catalog. */
const validation = 'server/workers/worker.ts'
const apart = [
  'server/main.ts',
  'server/versions/changelog-worker.ts',
  'server/versions/diff-worker.ts',
  'server/calls/script-worker.ts',
  'server/workers/token-worker.ts',
]

/** @param path absolute, of a path in the project */
export function joinFiles(path: (relative: string) => string): Rolldown.CodeSplittingOptions {
  const loadedBy = new Map<string, ReadonlySet<string>>()
  const fileOf = (id: string, modules: Rolldown.ChunkingContext): string | null => {
    const isLoadedBy = (module: string) => {
      const loaded = loadedBy.get(module) ?? allImports(path(module), modules)
      loadedBy.set(module, loaded)
      return loaded.has(id)
    }
    const file = files.find(([, module]) => isLoadedBy(module))?.[0] ?? null
    if (isLoadedBy(validation)) return file === 'store' ? null : file && 'core'
    return apart.some(isLoadedBy) ? null : file
  }
  return { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'joined files' }] }
}

/**
 * The same for the page, whose files are compressed one by one: what it loads first was 63 files, and 20 kB (brotli) more
 * than it is as one.
 *
 * @param path absolute, of a path in the project
 */
export function joinFirstLoad(path: (relative: string) => string): Rolldown.CodeSplittingOptions {
  let loaded: ReadonlySet<string> | undefined
  const fileOf = (id: string, modules: Rolldown.ChunkingContext) => {
    loaded ??= allImports(path('src/main.tsx'), modules)
    return loaded.has(id) ? 'first' : null
  }
  return { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'first load' }] }
}

/** All that a module imports statically, without itself. */
function allImports(entry: string, modules: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set(modules.getModuleInfo(entry)?.importedIds)
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
