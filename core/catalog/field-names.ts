import type { JsonSchema } from '../tool.ts'

const mostNames = 500
const mostNodes = 3000

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const inner = [
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$defs',
  'definitions',
  'additionalProperties',
]

/** The property names anywhere in a schema, one a line, outermost first. Bounded, and safe on any JSON. */
export function fieldNames(schema: JsonSchema): string {
  const names = new Set<string>()
  const queue: unknown[] = [schema]
  for (let at = 0; at < queue.length && at < mostNodes && names.size < mostNames; at += 1) {
    const node = queue[at]
    if (typeof node !== 'object' || node === null) continue
    if (Array.isArray(node)) {
      queue.push(...node.slice(0, mostNodes))
      continue
    }
    const keywords = node as { readonly [keyword: string]: unknown }
    const properties = keywords.properties
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
      for (const [name, property] of Object.entries(properties).slice(0, mostNames)) {
        names.add(name)
        queue.push(property)
      }
    }
    for (const keyword of inner) {
      const value = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
      if (value === undefined) continue
      if (keyword === '$defs' || keyword === 'definitions') {
        if (typeof value === 'object' && value !== null) queue.push(Object.values(value).slice(0, mostNodes))
      } else queue.push(value)
    }
  }
  return [...names].join('\n')
}
