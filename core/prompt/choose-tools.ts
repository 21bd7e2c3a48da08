/** Which tools of a catalog an agent is to get. */
import type { SearchIndex } from '../catalog/search-index.ts'
import type { Tool } from '../tool/tool.ts'
import { toolMatcher } from '../tool/tool-pattern.ts'

export interface ToolChoice {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** Words, every one of which the search finds in the tool, or a pattern with `*` over name or reference; empty is all. */
  readonly query: string
  /** References of tools that are left out. */
  readonly without: readonly string[]
}

/** In the order of the catalog, whatever the search would put first. */
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

/** What the set is called: by its one source, or by the program. */
export function setName(tools: readonly Tool[]): string {
  const [first] = tools
  return first !== undefined && tools.every(tool => tool.source === first.source) ? first.source : 'toolscope'
}
