/** A copy of a hostile schema that @cfworker/json-schema can run: it writes into schemas and trusts their shape. */
import { isObject } from '../json/json.ts'
import { holdsSchemas, type KeywordValue, keywords } from '../json-schema/keywords.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** Copies `schema`; throws RangeError when it is nested too deeply. Patterns are made fit for the `u` flag. */
export function prepareSchema(schema: JsonSchema): JsonSchema {
  return copySchema(schema) as JsonSchema
}

function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(schema)) {
    if (name.startsWith('__absolute')) continue
    const keyword = keywords.get(name)
    // A keyword of nobody's may hold what a reference leads to.
    if (keyword === undefined) copy[name] = copySchema(value)
    else if (!canApply(name, keyword.value, value)) continue
    else if (name === 'pattern') addPattern(copy, value as string)
    else if (!holdsSchemas(keyword)) copy[name] = copyData(value)
    else copy[name] = keyword.value.endsWith('map') ? copyMap(value as object, name) : copySchema(value)
  }
  return copy
}

/** Whether the value is of the shape that the keyword must have; others are left out. */
function canApply(name: string, kind: KeywordValue, value: unknown): boolean {
  switch (kind) {
    case 'names':
    case 'list':
      return Array.isArray(value)
    case 'schema list':
      return Array.isArray(value) && (value.length > 0 || name === 'prefixItems')
    case 'schema map':
    case 'schema or names map':
    case 'names map':
      return isObject(value)
    case 'text':
    case 'pattern':
    case 'reference':
      return typeof value === 'string'
    case 'count':
    case 'number':
    case 'number above 0':
      return typeof value === 'number'
    default:
      return true
  }
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
