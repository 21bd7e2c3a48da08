/** Local `$ref`s of a schema. Nothing is ever fetched: a reference to elsewhere stays unresolved. */

import { isObject } from '../json/json.ts'
import { pointerSegments, valueAt } from '../json/pointer.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { isSchema, type SchemaObject } from './schema.ts'

/**
 * Finds what `ref` points at inside `root`: `#`, `#/pointer`, `#anchor`, or the root's own `$id` before the `#`.
 * `undefined` when it points nowhere, elsewhere, or at something that is no schema.
 */
export function resolveRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!isObject(root)) return ref === '#' ? root : undefined
  const [base = '', fragment = ''] = splitOnce(ref, '#')
  const start = base === '' || base === root.$id ? root : findById(root, base)
  if (start === undefined) return undefined
  if (fragment === '') return start
  if (!fragment.startsWith('/')) return findAnchor(start, fragment)
  const found = valueAt(start, pointerSegments(decode(fragment))) ?? valueAt(start, pointerSegments(fragment))
  return isSchema(found) ? found : undefined
}

/** Where the places for shared schemas are, old and new. */
const definitionKeywords = ['$defs', 'definitions']

function findAnchor(root: SchemaObject, anchor: string): JsonSchema | undefined {
  return definitions(root).find(
    schema =>
      schema.$anchor === anchor ||
      schema.$dynamicAnchor === anchor ||
      schema.$id === `#${anchor}` ||
      schema.id === `#${anchor}`,
  )
}

function findById(root: SchemaObject, id: string): SchemaObject | undefined {
  return definitions(root).find(schema => schema.$id === id)
}

function definitions(root: SchemaObject): SchemaObject[] {
  return [root].concat(
    definitionKeywords.flatMap(keyword => {
      const group = root[keyword]
      return isObject(group) ? Object.values(group).filter(isObject) : []
    }),
  )
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
