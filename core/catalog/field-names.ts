import { isObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

const maxNames = 500
const maxNodes = 3000

/** Keywords that contain a schema or a list of schemas. */
const schemaKeywords = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])
/** Keywords that contain schemas by name. */
const mapKeywords = new Set(['properties', '$defs', 'definitions'])

/**
 * Returns the property names anywhere in a schema, one per line, outermost first. Limited in size, and safe for any
 * JSON.
 */
export function fieldNames(schema: JsonSchema): string {
  const names = new Set<string>()
  const queue: unknown[] = [schema]
  const enqueue = (value: unknown) => {
    if (typeof value === 'object' && value !== null && queue.length < maxNodes) queue.push(value)
  }
  for (let at = 0; at < queue.length && names.size < maxNames; at += 1) {
    const node = queue[at]
    if (Array.isArray(node)) node.slice(0, maxNodes).forEach(enqueue)
    if (!isObject(node)) continue
    for (const keyword of Object.keys(node)) {
      const value = node[keyword]
      if (schemaKeywords.has(keyword)) enqueue(value)
      if (!mapKeywords.has(keyword) || !isObject(value)) continue
      for (const name of Object.keys(value)) {
        if (keyword === 'properties' && names.size < maxNames) names.add(name)
        enqueue(value[name])
      }
    }
  }
  return [...names].join('\n')
}
