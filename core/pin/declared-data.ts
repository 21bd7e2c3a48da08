/** Finds the data that an input schema asks for: each property that it declares anywhere, and which are required. */
import { inlineRefs } from '../diff/schema/inline-refs.ts'
import { isObject, own } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'

const maxVisits = 50_000

/**
 * Returns the locations of declared properties in the value, as JSON Pointers; `~2` is any item or undeclared property,
 * `~3` begins a pattern, and `~4` at the end means that it is required: no name contains these. Alternatives and references count where they apply, so a schema that
 * is only written differently has the same locations. Null if the references cannot be followed, or the schema is too
 * large.
 */
export function listDeclaredData(schema: JsonSchema): ReadonlySet<string> | null {
  const inlined = inlineRefs(schema, '')
  if (inlined === undefined) return null
  const found = new Set<string>()
  const open: OpenPart[] = [{ part: inlined.root, path: '', within: [] }]
  let visits = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path, within } = next
    if (!isObject(part)) continue
    visits += 1
    if (visits > maxVisits) return null
    // Only a definition that contains itself is still referred to. Its first level is enough.
    const name = /^#\/\$defs\/(.*)$/s.exec(String(own(part, '$ref') ?? ''))?.[1]
    if (name !== undefined && !within.includes(name))
      open.push({ part: own(inlined.definitions, name), path, within: [...within, name] })
    for (const each of readNames(own(part, 'required'))) found.add(`${path}${pointerStep(each)}~4`)
    const dependent = own(part, 'dependentRequired')
    for (const names of isObject(dependent) ? Object.values(dependent) : [])
      for (const each of readNames(names)) found.add(`${path}${pointerStep(each)}~4`)
    for (const { schema: inner, path: steps } of subschemas(part)) {
      const [keyword, key = ''] = steps
      const at = `${path}${describeStep(keyword, key)}`
      if (named.has(keyword)) found.add(at)
      open.push({ part: inner, path: at, within })
    }
  }
  return found
}

interface OpenPart {
  readonly part: unknown
  readonly path: string
  /** Names of the recursive definitions that it is in. */
  readonly within: readonly string[]
}

const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
const manyParts: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
])

/** Returns the step from a value to the part that a subschema describes; empty if it describes the same value. */
function describeStep(keyword: string, key: string | number): string {
  if (keyword === 'properties') return pointerStep(key)
  if (keyword === 'patternProperties') return `/~3${pointerStep(key)}`
  return manyParts.has(keyword) ? '/~2' : ''
}

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
