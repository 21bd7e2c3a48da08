import { isObject, own, type UnknownObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { mapSubschemas } from './walk-schema.ts'

/** Levels that are read, so that no input exhausts the stack. No real tool nests so deeply. */
const maxDepth = 100

/**
 * Returns the input schema as it applies to a caller. Programs publish what their handler receives after defaults are
 * filled in, so `required` may contain properties with a `default`, which a caller may omit. The rest is unchanged, and
 * unchanged parts are the same objects. `not` and `if` are not changed, because relaxing them would refuse more values.
 */
export function callerSchema(schema: JsonSchema): JsonSchema {
  // A manifest may contain any value instead of a schema, null too.
  if (!isObject(schema)) return schema
  const known = relaxedSchemas.get(schema) ?? (relax(schema, 0) as JsonSchema)
  relaxedSchemas.set(schema, known)
  return known
}

/** One object for each schema, so that its hash is computed once. */
const relaxedSchemas = new WeakMap<object, JsonSchema>()

/**
 * Returns the output schema as it applies to a consumer that reads declared fields and ignores others: an object that
 * lists its properties accepts additional ones. `not` and `if` are not changed, as above.
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
