/** Is it a schema of its dialect at all? Only the keywords that decide about values are looked at. */

import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { pointerStep } from '../../json/pointer.ts'
import { Undecided } from '../limits.ts'
import { compare, rational } from '../rational.ts'
import { countOf, numberOf } from '../values.ts'
import { type Dialect, namedDialect, since, subschemas } from './dialect.ts'

export interface SchemaProblem {
  /** JSON Pointer to the schema or keyword. */
  readonly path: string
  readonly reason: string
}

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const counts = ['Length', 'Items', 'Properties', 'Contains'].flatMap(what => [`min${what}`, `max${what}`])
const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const zero = rational(0n)
const maximumDepth = 250

/** Keywords of 2020-12 (and 2019-09) that no older schema has. */
const newer = ['prefixItems', '$dynamicRef', '$defs', 'dependentSchemas', 'unevaluatedProperties']

/**
 * The dialects of two schemas that are compared: the one that a schema names; else the one it is told to be in;
 * else 2020-12, unless the older list form of `items` (or the flags of draft 4) is used and nothing newer in either.
 * Two versions of one tool that mix the forms are no schemas of one dialect: the older form is then invalid.
 */
export function dialectsOf(schemas: readonly unknown[], told?: Dialect): Dialect[] {
  const unnamed = schemas.filter(schema => (namedDialect(schema) ?? told) === undefined)
  let lists = false
  let flags = false
  let modern = false
  for (const schema of unnamed)
    walk(schema, '', one => {
      lists ||= Array.isArray(own(one, 'items'))
      flags ||= typeof own(one, 'exclusiveMinimum') === 'boolean'
      flags ||= typeof own(one, 'exclusiveMaximum') === 'boolean'
      modern ||= newer.some(keyword => Object.hasOwn(one, keyword))
    })
  const older = flags ? 'draft-04' : lists ? 'draft-07' : '2020-12'
  const guess = modern ? '2020-12' : older
  return schemas.map(schema => namedDialect(schema) ?? told ?? guess)
}

/** The first thing that makes it no schema; undefined when it is one. */
export function checkSchema(schema: unknown, dialect: Dialect): SchemaProblem | undefined {
  let found: SchemaProblem | undefined
  if (!isSchema(schema)) return { path: '', reason: 'a schema is an object, true or false' }
  walk(schema, '', (one, path) => {
    found ??= checkKeywords(one, path, namedDialect(one) ?? dialect)
  })
  return found
}

function walk(
  schema: unknown,
  path: string,
  visit: (schema: UnknownObject, path: string) => void,
  depth = 0,
): void {
  if (!isObject(schema)) return
  if (depth > maximumDepth) throw new Undecided('the schema is nested too deep')
  visit(schema, path)
  for (const part of subschemas(schema))
    walk(part.schema, path + part.path.map(pointerStep).join(''), visit, depth + 1)
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean'
}

function checkKeywords(schema: UnknownObject, path: string, dialect: Dialect): SchemaProblem | undefined {
  for (const keyword of Object.keys(schema)) {
    const reason = problemOf(keyword, schema[keyword], dialect)
    if (reason) return { path: path + pointerStep(keyword), reason }
  }
  return undefined
}

function problemOf(keyword: string, value: unknown, dialect: Dialect): string | undefined {
  if (counts.includes(keyword))
    return countOf(value) === undefined ? 'must be a whole number from 0' : undefined
  if (limits.includes(keyword)) {
    const isFlag = dialect === 'draft-04' && keyword.startsWith('exclusive')
    if (isFlag) return typeof value === 'boolean' ? undefined : `must be true or false in ${dialect}`
    return numberOf(value) ? undefined : 'must be a number'
  }
  switch (keyword) {
    case 'multipleOf': {
      const step = numberOf(value)
      return step && compare(step, zero) > 0 ? undefined : 'must be a number above 0'
    }
    case 'type': {
      const names: unknown[] = Array.isArray(value) ? value : [value]
      const known = names.length > 0 && names.every(name => typeNames.includes(name as string))
      return known ? undefined : `must be one of ${typeNames.join(', ')}`
    }
    case 'enum':
      return Array.isArray(value) ? undefined : 'must be a list'
    case 'required':
      return isTextList(value) ? undefined : 'must be a list of names'
    case 'pattern':
      return typeof value === 'string' ? patternProblem(value) : 'must be a text'
    case 'uniqueItems':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case '$ref':
    case '$dynamicRef':
      return typeof value === 'string' ? undefined : 'must be a reference'
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return isSchemaList(value) && value.length > 0 ? undefined : 'must be a list of schemas'
    case 'prefixItems':
      if (!since(dialect, '2020-12')) return undefined
      return isSchemaList(value) ? undefined : 'must be a list of schemas'
    case 'items':
      if (isSchema(value) || (!since(dialect, '2020-12') && isSchemaList(value))) return undefined
      return since(dialect, '2020-12') && Array.isArray(value)
        ? `must be one schema: in ${dialect} a list of schemas is called prefixItems`
        : 'must be a schema'
    default:
      return mapProblem(keyword, value)
  }
}

function mapProblem(keyword: string, value: unknown): string | undefined {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
    case 'dependentSchemas': {
      if (!isObject(value) || !Object.values(value).every(isSchema)) return 'must hold a schema for each name'
      if (keyword !== 'patternProperties') return undefined
      return Object.keys(value)
        .map(patternProblem)
        .find(problem => problem !== undefined)
    }
    case 'dependencies':
      return isObject(value) && Object.values(value).every(one => isSchema(one) || isTextList(one))
        ? undefined
        : 'must hold a schema or a list of names for each name'
    case 'dependentRequired':
      return isObject(value) && Object.values(value).every(isTextList)
        ? undefined
        : 'must hold a list of names for each name'
    case 'additionalItems':
    case 'additionalProperties':
    case 'contains':
    case 'else':
    case 'if':
    case 'not':
    case 'propertyNames':
    case 'then':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
      return isSchema(value) ? undefined : 'must be a schema'
    default:
      return undefined
  }
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

function isSchemaList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isSchema)
}

/** A pattern that only older engines understand is left to the analysis, which will say so. */
function patternProblem(source: string): string | undefined {
  if (source.length > 20_000) return undefined
  for (const flags of ['u', ''])
    try {
      new RegExp(source, flags)
      return undefined
    } catch {
      // Tried again without the flag.
    }
  return `${JSON.stringify(source.slice(0, 60))} is not a regular expression`
}
