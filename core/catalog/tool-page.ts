import type { z } from 'zod'
import type { ToolPage, toolsQuery } from '../api/catalog.ts'
import { AppError } from '../errors.ts'
import type { SearchIndex } from './search-index.ts'
import { summarise } from './summarise.ts'

/**
 * One page of the flat list, best match first (catalog order where the query is empty).
 * Throws AppError `request-invalid` for a cursor that no page gave.
 */
export function toolPage(index: SearchIndex, query: z.infer<typeof toolsQuery>): ToolPage {
  const { order } = index.search(query.q, { sources: query.source, filters: query.filter })
  const start = query.cursor === undefined ? 0 : offsetOf(query.cursor)
  const end = start + query.limit
  const tools = order.slice(start, end).flatMap(at => index.tools[at] ?? [])
  return {
    tools: tools.map(summarise),
    matched: order.length,
    total: index.tools.length,
    ...(end < order.length && { nextCursor: `after-${end.toString(36)}` }),
  }
}

function offsetOf(cursor: string): number {
  const [, digits] = /^after-([0-9a-z]{1,7})$/u.exec(cursor) ?? []
  if (digits === undefined)
    throw new AppError(
      'request-invalid',
      `cursor ${JSON.stringify(cursor.slice(0, 100))} is not a nextCursor`,
    )
  return Number.parseInt(digits, 36)
}
