/** Chooses the tools of a catalog that an agent gets. */
import type { SearchIndex } from '../catalog/search-index.ts'
import type { Tool } from '../tool/tool.ts'
import { toolMatcher } from '../tool/tool-pattern.ts'

export interface ToolChoice {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** Words that the search must all find in the tool, or a pattern with `*` over name or reference; empty means all. */
  readonly query: string
  /** References of excluded tools. */
  readonly without: readonly string[]
}

/** Returns the tools in the order of the catalog, not of the search. */
export function chooseTools(index: SearchIndex, { sources, query, without }: ToolChoice): readonly Tool[] {
  const left = new Set(without)
  const found = query.includes('*')
    ? inSources(index.tools, sources).filter(toolMatcher(query))
    : index
        .search(query, { sources, filters: [], everyWord: true })
        .order.toSorted((a, b) => a - b)
        .flatMap(at => index.tools[at] ?? [])
  return left.size === 0 ? found : found.filter(tool => !left.has(tool.ref))
}

function inSources(tools: readonly Tool[], sources: readonly string[]): readonly Tool[] {
  const wanted = new Set(sources)
  return wanted.size === 0 ? tools : tools.filter(tool => wanted.has(tool.source))
}

/** Returns the name of the set: that of its only source, or of the program. */
export function setName(tools: readonly Tool[]): string {
  const [first] = tools
  return first !== undefined && tools.every(tool => tool.source === first.source) ? first.source : 'toolscope'
}
