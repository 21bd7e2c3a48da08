/**
 * The `declared` reading of a schema: callers send only properties that the schema declares. Every object that lists
 * properties and leaves `additionalProperties` absent or true is closed.
 */
import { Undecided } from './limits.ts'
import { isObject, type JsonObject, objectOf, own } from './values.ts'

const maximumDepth = 250

/** Keywords whose schemas speak of other values than the present one, or stand apart. */
const apartSingle = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const apartListed = ['items', 'prefixItems']
const apartNamed = ['properties', 'patternProperties', '$defs', 'definitions']
/** Keywords whose schemas speak of the same value. */
const sameSingle = ['then', 'else']
const sameListed = ['allOf', 'anyOf', 'oneOf']

/**
 * A copy with its objects closed. Where the properties are spread over `allOf`, `anyOf`, `then` …, the whole is closed
 * (`unevaluatedProperties`), not each part, since the parts would then exclude each other. Below `not`, `if` and
 * `contains` nothing is closed: there, closing would widen what is allowed.
 */
export function closeDeclared(schema: unknown): unknown {
  return close(schema, true, 0)
}

function close(schema: unknown, mayClose: boolean, depth: number): unknown {
  if (!isObject(schema)) return schema
  if (depth > maximumDepth) throw new Undecided('the schema is nested too deep')
  const parts = sameParts(schema)
  const spread = parts.some(part => declares(part, depth))
  const lists = Object.keys(objectUnder(schema, 'properties')).length > 0
  const closesWhole = mayClose && spread && isOpen(schema)
  const inner = new Map<string, unknown>()
  for (const keyword of Object.keys(schema))
    inner.set(keyword, closeUnder(keyword, schema[keyword], mayClose && !closesWhole && !spread, depth))
  if (closesWhole && !parts.every(isClosed)) inner.set('unevaluatedProperties', false)
  else if (mayClose && lists && !spread && isOpen(schema)) inner.set('additionalProperties', false)
  return objectOf(inner)
}

function closeUnder(keyword: string, value: unknown, mayCloseParts: boolean, depth: number): unknown {
  if (Array.isArray(value)) {
    if (apartListed.includes(keyword)) return value.map(item => close(item, true, depth + 1))
    if (sameListed.includes(keyword)) return value.map(item => close(item, mayCloseParts, depth + 1))
    return value
  }
  if (!isObject(value)) return value
  if (apartSingle.includes(keyword)) return close(value, true, depth + 1)
  if (sameSingle.includes(keyword)) return close(value, mayCloseParts, depth + 1)
  if (apartNamed.includes(keyword))
    return objectOf(Object.entries(value).map(([name, item]) => [name, close(item, true, depth + 1)]))
  return value
}

function objectUnder(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword)
  return isObject(value) ? value : {}
}

function sameParts(schema: JsonObject): JsonObject[] {
  const listed = sameListed.flatMap(keyword => {
    const value = own(schema, keyword)
    return Array.isArray(value) ? value : []
  })
  return [...listed, ...sameSingle.map(keyword => own(schema, keyword))].filter(isObject)
}

/** Does it, or a part of it that speaks of the same value, list properties? */
function declares(schema: JsonObject, depth: number): boolean {
  if (depth > maximumDepth) throw new Undecided('the schema is nested too deep')
  return (
    Object.keys(objectUnder(schema, 'properties')).length > 0 ||
    sameParts(schema).some(part => declares(part, depth + 1))
  )
}

function isOpen(schema: JsonObject): boolean {
  return (
    [undefined, true].includes(own(schema, 'additionalProperties') as boolean | undefined) &&
    own(schema, 'unevaluatedProperties') === undefined
  )
}

function isClosed(schema: JsonObject): boolean {
  return !isOpen(schema) && declares(schema, 0)
}
