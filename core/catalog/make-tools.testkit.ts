import type { ManifestTool, Tool } from '../tool/tool.ts'

/** Catalog tools from bare names or partial tools, for tests. */
export function makeTools(source: string, entries: readonly (string | Partial<ManifestTool>)[]): Tool[] {
  const seen = new Map<string, number>()
  return entries.map((entry, index) => {
    const partial = typeof entry === 'string' ? { name: entry } : entry
    const name = partial.name ?? ''
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    const ref = count === 1 ? `${source}/${name}` : `${source}/${name}~${count}`
    return { inputSchema: {}, ...partial, name, ref, source, index, callable: true }
  })
}
