import { isObject, type UnknownObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** Below this the schema is left as it is: no tool nests so deep, and no input may exhaust the stack. */
const deepest = 100

const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const singles = new Set([
  'items',
  'additionalProperties',
  'contains',
  'then',
  'else',
  'unevaluatedProperties',
])

/**
 * The input schema as it binds a caller. Programs publish what their handler receives after defaults are filled in, so
 * a property with a `default` stands in `required` too; a caller may leave it out. Everything else stays as it is,
 * parts without such a property are the same objects. Conditions (`not`, `if`) are not entered: relaxing them would
 * refuse more, not less.
 */
export function callerSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'object') return schema
  const known = relaxedSchemas.get(schema) ?? (relax(schema, 0) as JsonSchema)
  relaxedSchemas.set(schema, known)
  return known
}

/** One object for each schema, so that its hash is computed once. */
const relaxedSchemas = new WeakMap<object, JsonSchema>()

function relax(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > deepest) return schema
  let changed = false
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const relaxed =
      keyword === 'required' ? relaxRequired(value, schema) : relaxKeyword(keyword, value, depth + 1)
    changed ||= relaxed !== value
    return [keyword, relaxed] as const
  })
  return changed ? Object.fromEntries(entries) : schema
}

function relaxRequired(required: unknown, schema: UnknownObject): unknown {
  const properties = Object.hasOwn(schema, 'properties') ? schema.properties : undefined
  if (!Array.isArray(required) || !isObject(properties)) return required
  const demanded = required.filter(name => {
    const property =
      typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined
    return !(isObject(property) && Object.hasOwn(property, 'default'))
  })
  return demanded.length === required.length ? required : demanded
}

function relaxKeyword(keyword: string, value: unknown, depth: number): unknown {
  if (singles.has(keyword) && !Array.isArray(value)) return relax(value, depth)
  if ((lists.has(keyword) || keyword === 'items') && Array.isArray(value)) {
    const relaxed = value.map(part => relax(part, depth))
    return relaxed.some((part, at) => part !== value[at]) ? relaxed : value
  }
  if (!maps.has(keyword) || !isObject(value)) return value
  const relaxed = Object.entries(value).map(([name, part]) => [name, relax(part, depth)] as const)
  return relaxed.some(([name, part]) => part !== value[name]) ? Object.fromEntries(relaxed) : value
}
