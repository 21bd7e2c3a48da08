/** Opens a group of sources and, where a file names them, follows its changes. */
import type { SourceRegistry } from '../catalog/source-registry.ts'
import { configSources, watchConfig } from '../watch/config-sources.ts'
import type { SourceGroup } from './open-catalog.ts'

/** @param say called with what is wrong with the file, each time it changes */
export function followGroup(
  sources: SourceRegistry,
  { specs, file }: SourceGroup,
  say: (line: string) => void,
): { readonly opened: Promise<unknown>; readonly stop: () => Promise<void> } {
  if (file === undefined)
    return { opened: Promise.all(specs.map(spec => sources.add(spec))), stop: async () => {} }
  const { opened, update } = configSources(sources, file, specs)
  return { opened, stop: watchConfig(file, update, say) }
}
