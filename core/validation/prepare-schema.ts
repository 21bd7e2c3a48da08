/** A copy of a hostile schema that @cfworker/json-schema can run: it writes into schemas and trusts their shape. */
import type { JsonSchema } from '../tool/tool.ts'

/** What each of these keywords must be to be applied; anything else is left out, as the older drafts' booleans are. */
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  required: Array.isArray,
  enum: Array.isArray,
  anyOf: isFullList,
  oneOf: isFullList,
  allOf: isFullList,
  prefixItems: Array.isArray,
  properties: isMap,
  patternProperties: isMap,
  $defs: isMap,
  definitions: isMap,
  dependentSchemas: isMap,
  dependentRequired: isMap,
  dependencies: isMap,
  $id: isText,
  id: isText,
  $ref: isText,
  pattern: isText,
  format: isText,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
  minimum: isNumber,
  maximum: isNumber,
  multipleOf: isNumber,
}

/** Keywords whose value is data, to be copied without looking for schemas in it. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', 'type'])
const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Copies `schema`; throws RangeError when it is nested too deeply. Patterns are made fit for the `u` flag. */
export function prepareSchema(schema: JsonSchema): JsonSchema {
  return copySchema(schema) as JsonSchema
}

function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = Object.create(null)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('__absolute')) continue
    const fits = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
    if (fits && !fits(value)) continue
    if (keyword === 'pattern') addPattern(copy, value as string)
    else if (dataKeywords.has(keyword)) copy[keyword] = copyData(value)
    else if (mapKeywords.has(keyword)) copy[keyword] = copyMap(value as object, keyword)
    else copy[keyword] = copySchema(value)
  }
  return copy
}

function copyMap(map: object, keyword: string): unknown {
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, schema] of Object.entries(map)) {
    const usable = keyword === 'patternProperties' ? unicodePattern(key) : key
    if (usable !== null) copy[usable] = copySchema(schema)
  }
  return copy
}

function copyData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyData)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, item] of Object.entries(value)) copy[key] = copyData(item)
  return copy
}

function addPattern(schema: Record<string, unknown>, pattern: string): void {
  const usable = unicodePattern(pattern)
  if (usable !== null) schema.pattern = usable
}

/**
 * The pattern as the `u` flag takes it: authors write `\-` and `\_`, which only the older mode allows.
 * `null` when it is no regular expression at all.
 */
export function unicodePattern(pattern: string): string | null {
  for (const candidate of [
    pattern,
    pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])|\\(_)/g, '$1$2'),
    bareDashes(pattern),
  ])
    if (compiles(candidate)) return candidate
  return null
}

function bareDashes(pattern: string): string {
  return pattern.replace(/\\([^A-Za-z0-9^$\\.*+?()[\]{}|/])/g, '$1')
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFullList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}
