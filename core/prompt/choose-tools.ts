/** Which tools of a catalog an agent is to get. */
import type { SearchIndex } from '../catalog/search-index.ts'
import type { Tool } from '../tool/tool.ts'

export interface ToolChoice {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** Words as in the search field, or a pattern with `*` over name or reference; empty is all. */
  readonly query: string
  /** References of tools that are left out. */
  readonly without: readonly string[]
}

/** In the order of the catalog, whatever the search would put first. */
export function chooseTools(index: SearchIndex, { sources, query, without }: ToolChoice): readonly Tool[] {
  const left = new Set(without)
  const found = query.includes('*')
    ? inSources(index.tools, sources).filter(matcher(query))
    : index
        .search(query, { sources, filters: [] })
        .order.toSorted((a, b) => a - b)
        .flatMap(at => index.tools[at] ?? [])
  return left.size === 0 ? found : found.filter(tool => !left.has(tool.ref))
}

function inSources(tools: readonly Tool[], sources: readonly string[]): readonly Tool[] {
  const wanted = new Set(sources)
  return wanted.size === 0 ? tools : tools.filter(tool => wanted.has(tool.source))
}

function matcher(pattern: string): (tool: Tool) => boolean {
  const pieces = pattern.toLowerCase().split('*')
  return ({ name, ref }) =>
    matchesPieces(name.toLowerCase(), pieces) || matchesPieces(ref.toLowerCase(), pieces)
}

/** `['api ', '']` fits what starts with `api `. Each piece is looked for once, so the time is linear. */
function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}

/** What the set is called: by its one source, or by the program. */
export function setName(tools: readonly Tool[]): string {
  const [first] = tools
  return first !== undefined && tools.every(tool => tool.source === first.source) ? first.source : 'toolscope'
}
