/** Which draft of JSON Schema a schema is written in. */

import { isObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

export type Dialect = '2020-12' | '2019-09' | '7' | '4'

/**
 * By `$schema` where it is stated. Unstated is 2020-12, as MCP has it, unless the schema uses what only older
 * drafts mean: `items` as a list with no `prefixItems`.
 */
export function dialectOf(schema: JsonSchema): Dialect {
  if (!isObject(schema)) return '2020-12'
  const stated = typeof schema.$schema === 'string' ? schema.$schema : ''
  if (/draft-0?4/.test(stated)) return '4'
  if (/draft-0?[67]/.test(stated)) return '7'
  if (stated.includes('2019-09')) return '2019-09'
  if (stated.includes('2020-12')) return '2020-12'
  return usesListItems(schema) ? '7' : '2020-12'
}

/** Looks for `items: […]`, through at most 20,000 nodes. */
function usesListItems(root: object): boolean {
  const queue: object[] = [root]
  for (let index = 0; index < queue.length && index < 20_000; index++) {
    const node = queue[index]
    if (isObject(node) && Array.isArray(node.items) && node.prefixItems === undefined) return true
    for (const child of Object.values(node ?? {}))
      if (typeof child === 'object' && child !== null) queue.push(child)
  }
  return false
}
