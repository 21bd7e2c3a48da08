/** The backend of an export: the catalog as it was written down. What would call, open or change is absent. */
import { rowsQuery, toolsQuery } from '../../core/api.ts'
import { rowPage } from '../../core/catalog/row-page.ts'
import { createSearchIndex } from '../../core/catalog/search-index.ts'
import { toolPage } from '../../core/catalog/tool-page.ts'
import { AppError } from '../../core/errors.ts'
import {
  chunkName,
  chunkOf,
  type SiteCatalog,
  type SiteChunk,
  type SiteTool,
} from '../../core/export/site.ts'
import type { Tool } from '../../core/tool.ts'
import type { Backend } from '../api/backend.ts'

/** Chunks of details that are kept in memory; a site may have a hundred thousand tools. */
const keptChunks = 20

/** @param load a part of the data by its name */
export function staticBackend(catalog: SiteCatalog, load: <Part>(name: string) => Promise<Part>): Backend {
  const index = createSearchIndex(
    catalog.tools.map(asTool),
    catalog.sources.map(source => source.name),
  )
  const positions = new Map(catalog.tools.map((tool, position) => [tool.ref, position]))
  const chunks = new Map<number, Promise<SiteChunk>>()
  const chunkAt = (chunk: number): Promise<SiteChunk> => {
    const known = chunks.get(chunk)
    if (known) return known
    const loading = load<SiteChunk>(chunkName(chunk))
    chunks.set(chunk, loading)
    // What failed once may be there the next time.
    loading.catch(() => chunks.delete(chunk))
    const [oldest] = chunks.keys()
    if (chunks.size > keptChunks && oldest !== undefined) chunks.delete(oldest)
    return loading
  }
  return {
    sources: async () => catalog.sources,
    rows: async ({ q, sources, filters, collapsed, offset, limit, find }) =>
      rowPage(
        index,
        rowsQuery.parse({
          q,
          source: sources.join(','),
          filter: filters.join(','),
          collapsed: JSON.stringify(collapsed),
          offset,
          limit,
          find,
        }),
      ),
    searchTools: async (q, limit) => toolPage(index, toolsQuery.parse({ q, limit })),
    tool: async ref => {
      const position = positions.get(ref)
      if (position === undefined) throw new AppError('tool-not-found', `"${ref}" is not in this export`)
      const chunk = chunkOf(catalog.chunkStarts, position)
      const tools = await chunkAt(chunk)
      const detail = tools[position - (catalog.chunkStarts[chunk] ?? 0)]
      if (detail?.ref !== ref)
        throw new AppError('internal', `The details of "${ref}" are not where they should be.`)
      return detail
    },
  }
}

/** As the search reads a tool: names of fields stand in the place of the schema they were read from. */
function asTool({ fields, hasOutputSchema, ...tool }: SiteTool, index: number): Tool {
  return {
    ...tool,
    index,
    inputSchema: { properties: Object.fromEntries(fields.map(name => [name, true])) },
    ...(hasOutputSchema ? { outputSchema: true } : {}),
  }
}
