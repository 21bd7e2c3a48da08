import { isObject, own, type UnknownObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { mapSubschemas } from './walk.ts'

/** Levels that are read: no tool nests so deep, and no input may exhaust the stack. */
const maxDepth = 100

/**
 * The input schema as it binds a caller. Programs publish what their handler receives after defaults are filled in, so
 * a property with a `default` is in `required` too; a caller may omit it. Everything else is unchanged,
 * parts without such a property are the same objects. Conditions (`not`, `if`) are not entered: relaxing them would
 * refuse more, not less.
 */
export function callerSchema(schema: JsonSchema): JsonSchema {
  // A manifest may hold anything where a schema belongs, null too.
  if (!isObject(schema)) return schema
  const known = relaxedSchemas.get(schema) ?? (relax(schema, 0) as JsonSchema)
  relaxedSchemas.set(schema, known)
  return known
}

/** One object for each schema, so that its hash is computed once. */
const relaxedSchemas = new WeakMap<object, JsonSchema>()

/**
 * The output schema as it binds a consumer that reads declared fields and ignores others: an object that lists its
 * properties refuses no more. `not` and `if` are not entered, as above.
 */
export function consumerSchema(schema: JsonSchema): JsonSchema {
  return open(schema, 0) as JsonSchema
}

function open(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > maxDepth) return schema
  const opened = mapSubschemas(schema, (part, keyword) =>
    keyword === 'not' || keyword === 'if' ? part : open(part, depth + 1),
  )
  const isClosed = (keyword: string) => own(opened, keyword) === false
  if (!isObject(own(opened, 'properties')) || !closing.some(isClosed)) return opened
  return Object.fromEntries(
    Object.entries(opened).filter(([keyword]) => !closing.includes(keyword) || !isClosed(keyword)),
  )
}

const closing: readonly string[] = ['additionalProperties', 'unevaluatedProperties']

function relax(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > maxDepth) return schema
  const relaxed = mapSubschemas(schema, (part, keyword) =>
    keyword === 'not' || keyword === 'if' ? part : relax(part, depth + 1),
  )
  const required = relaxRequired(schema)
  return required === own(schema, 'required') ? relaxed : { ...relaxed, required }
}

function relaxRequired(schema: UnknownObject): unknown {
  const required = own(schema, 'required')
  const properties = own(schema, 'properties')
  if (!Array.isArray(required) || !isObject(properties)) return required
  const demanded = required.filter(name => {
    const property = typeof name === 'string' ? own(properties, name) : undefined
    return !(isObject(property) && Object.hasOwn(property, 'default'))
  })
  return demanded.length === required.length ? required : demanded
}
