/**
 * The backend of an export: the catalog as it was when the export was made. Endpoints that call, open or change are
 * absent.
 */

import { chunkName, findChunk, type SiteCatalog, type SiteChunk, type SiteTool } from '../../core/api/site.ts'
import { cutRowPage, cutToolPage } from '../../core/catalog/catalog-page.ts'
import { rowsQuery, toolsQuery } from '../../core/catalog/rows.ts'
import { createSearchIndex } from '../../core/catalog/search-index.ts'
import { AppError } from '../../core/errors.ts'
import { finish } from '../../core/slices.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Handlers } from '../api/local-backend.ts'
import { createPartLoader, type LoadPart } from './load-part.ts'

export function staticCatalog(catalog: SiteCatalog, load: LoadPart): Handlers {
  const names = catalog.sources.map(source => source.name)
  const index = createSearchIndex(catalog.tools.map(asTool), names)
  const toolIndex = createSearchIndex(
    index.tools.filter(({ kind }) => kind === undefined),
    names,
  )
  const positions = new Map(catalog.tools.map((tool, position) => [tool.ref, position]))
  const { scores } = catalog
  const chunkAt = createPartLoader<SiteChunk>(load, chunkName)
  return {
    'GET /api/sources': async () => ({ sources: catalog.sources, examples: [], removed: [] }),
    ...(scores && { 'GET /api/generated-checks/scores': async () => scores }),
    'GET /api/rows': async ({ query }) => {
      const parsed = rowsQuery.parse(query)
      if (parsed.q.trim() !== '') await index.prepare(nextTask)
      return finish(cutRowPage(index, parsed, tool => catalog.tools[tool.index]?.warnings ?? 0))
    },
    'GET /api/tools': async ({ query }) => {
      const parsed = toolsQuery.parse(query)
      return cutToolPage(parsed.surface ? index : toolIndex, parsed)
    },
    'GET /api/tools/{+ref}': async ({ params: { ref } }) => {
      const position = positions.get(ref)
      if (position === undefined) throw new AppError('tool-not-found', `"${ref}" is not in this export`)
      const chunk = findChunk(catalog.chunkStarts, position)
      const tools = await chunkAt(chunk)
      const detail = tools[position - (catalog.chunkStarts[chunk] ?? 0)]
      if (detail?.ref !== ref)
        throw new AppError('internal', `The details of "${ref}" are not where they should be.`)
      return detail
    },
  }
}

/** Waits for the next task, so that input and rendering come before the next slice of the search. */
const nextTask = () => new Promise<boolean>(resolve => setTimeout(() => resolve(true)))

/** Returns the tool as the search expects it, with the names of its fields instead of its schema. */
function asTool({ fields, hasOutputSchema, ...tool }: SiteTool, index: number): Tool {
  return {
    ...tool,
    index,
    inputSchema: { properties: Object.fromEntries(fields.map(name => [name, true])) },
    ...(hasOutputSchema ? { outputSchema: true } : {}),
  }
}
