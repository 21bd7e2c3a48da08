import type { ToolFilter } from '../api/catalog.ts'
import type { Tool } from '../tool/tool.ts'
import { type Matches, rank } from './rank.ts'
import { Recent } from './recent.ts'
import { SearchText } from './search-text.ts'
import { queryWords } from './text.ts'

/** The catalog, made searchable. Immutable: a changed catalog gets a new one. */
export interface SearchIndex {
  readonly tools: readonly Tool[]
  /** Every source's name, in the order they are drawn. */
  readonly sources: readonly string[]
  /** Every word of the query must stand somewhere; only if no tool has them all, one typo a word is forgiven. */
  search(query: string, scope: Scope): Matches
}

/** Makes a catalog searchable; the text is read at the first search. `sources` may name ones without tools. */
export function createSearchIndex(tools: readonly Tool[], sources: readonly string[] = []): SearchIndex {
  const names = [...new Set([...sources, ...tools.map(tool => tool.source)])]
  const recent = new Recent<Matches>(16)
  let text: SearchText | undefined
  return {
    tools,
    sources: names,
    search: (query, scope) => {
      const words = queryWords(query)
      return recent.get(JSON.stringify([words, scope.sources, scope.filters]), () => {
        const within = inScope(scope)
        const candidates: number[] = []
        tools.forEach((tool, index) => {
          if (within(tool)) candidates.push(index)
        })
        if (words.length === 0) return { order: candidates, needles: [] }
        text ??= new SearchText(tools)
        return rank(text, candidates, words)
      })
    },
  }
}

const passes: Record<ToolFilter, (tool: Tool) => boolean> = {
  'read-only': tool => tool.annotations?.readOnlyHint === true,
  destructive: tool => tool.annotations?.destructiveHint === true,
  'typed-output': tool => tool.outputSchema !== undefined,
  callable: tool => tool.callable,
}

/** Which part of the catalog a search looks at. */
export interface Scope {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** All of them must hold. */
  readonly filters: readonly ToolFilter[]
}

/** A test for the tools of a scope. */
export function inScope({ sources, filters }: Scope): (tool: Tool) => boolean {
  const wanted = sources.length === 0 ? undefined : new Set(sources)
  return tool => (wanted?.has(tool.source) ?? true) && filters.every(filter => passes[filter](tool))
}
