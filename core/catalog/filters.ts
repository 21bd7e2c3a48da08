import type { ToolFilter } from '../api/catalog.ts'
import type { Tool } from '../tool/tool.ts'

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
