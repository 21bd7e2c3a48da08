/** Checks whether a schema is valid in its dialect. Only keywords that decide about values are checked. */
import { isObject, type UnknownObject } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import { statedDialect } from '../schema/dialect.ts'
import { type Dialect, isSince, keywords } from '../schema/keywords.ts'
import { isSchema } from '../schema/schema.ts'
import { allSchemas, buildFullPath } from '../schema/walk-schema.ts'
import { compareRationals, rational, readCount, readRational } from './numbers.ts'

interface SchemaProblem {
  /** JSON Pointer to the schema or keyword. */
  readonly path: string
  readonly reason: string
}

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const zero = rational(0n)

/** Returns the first problem of an invalid schema; undefined if the schema is valid. */
export function checkSchema(schema: unknown, dialect: Dialect): SchemaProblem | undefined {
  if (!isSchema(schema)) return { path: '', reason: 'a schema is an object, true or false' }
  for (const visited of allSchemas(schema, Number.POSITIVE_INFINITY)) {
    const problem = schemaProblem(visited.schema, statedDialect(visited.schema) ?? dialect)
    if (problem) return { path: toPointer(buildFullPath(visited)) + problem.path, reason: problem.reason }
  }
  return undefined
}

/** Returns the first invalid keyword of a schema; schemas inside it are not checked. */
export function schemaProblem(schema: UnknownObject, dialect: Dialect): SchemaProblem | undefined {
  for (const name of Object.keys(schema)) {
    const reason = findKeywordProblem(name, schema[name], dialect)
    if (reason) return { path: toPointer([name]), reason }
  }
  return undefined
}

/** Keywords of later dialects are ignored, as validators of the dialect ignore them. */
function findKeywordProblem(name: string, value: unknown, dialect: Dialect): string | undefined {
  const keyword = keywords.get(name)
  if (keyword?.role !== 'validation' && keyword?.role !== 'definitions') return undefined
  if (keyword.since && !isSince(dialect, keyword.since)) return undefined
  switch (keyword.value) {
    case 'count':
      return readCount(value) === undefined ? 'must be a whole number from 0' : undefined
    case 'number':
      return readRational(value) ? undefined : 'must be a number'
    case 'number or flag':
      if (dialect === 'draft-04')
        return typeof value === 'boolean' ? undefined : `must be true or false in ${dialect}`
      return readRational(value) ? undefined : 'must be a number'
    case 'number above 0': {
      const step = readRational(value)
      return step && compareRationals(step, zero) > 0 ? undefined : 'must be a number above 0'
    }
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'type': {
      const names: unknown[] = Array.isArray(value) ? value : [value]
      const areKnown = names.length > 0 && names.every(one => typeNames.includes(one as string))
      return areKnown ? undefined : `must be one of ${typeNames.join(', ')}`
    }
    case 'list':
      return Array.isArray(value) ? undefined : 'must be a list'
    case 'names':
      return isTextList(value) ? undefined : 'must be a list of names'
    case 'pattern':
      return typeof value === 'string' ? patternProblem(value) : 'must be a text'
    case 'reference':
      return typeof value === 'string' ? undefined : 'must be a reference'
    case 'names map':
      return isObject(value) && Object.values(value).every(isTextList)
        ? undefined
        : 'must hold a list of names for each name'
    case 'text':
    case 'any':
      return undefined
    default:
      return subschemaProblem(name, keyword.value, value, dialect)
  }
}

function subschemaProblem(
  name: string,
  kind: 'schema' | 'schema list' | 'schema or list' | 'schema map' | 'schema or names map',
  value: unknown,
  dialect: Dialect,
): string | undefined {
  switch (kind) {
    case 'schema':
      return isSchema(value) ? undefined : 'must be a schema'
    case 'schema list':
      return isSchemaList(value) && (value.length > 0 || name === 'prefixItems')
        ? undefined
        : 'must be a list of schemas'
    case 'schema or list':
      if (isSchema(value) || (!isSince(dialect, '2020-12') && isSchemaList(value))) return undefined
      return isSince(dialect, '2020-12') && Array.isArray(value)
        ? `must be one schema: in ${dialect} a list of schemas is called prefixItems`
        : 'must be a schema'
    case 'schema or names map':
      return isObject(value) && Object.values(value).every(one => isSchema(one) || isTextList(one))
        ? undefined
        : 'must hold a schema or a list of names for each name'
    case 'schema map':
      if (!isObject(value) || !Object.values(value).every(isSchema)) return 'must hold a schema for each name'
      if (name !== 'patternProperties') return undefined
      return Object.keys(value)
        .map(patternProblem)
        .find(problem => problem !== undefined)
  }
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

function isSchemaList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isSchema)
}

/** A pattern that only older engines accept is valid here; the analysis reports it. */
function patternProblem(source: string): string | undefined {
  if (source.length > 20_000) return undefined
  for (const flags of ['u', ''])
    try {
      new RegExp(source, flags)
      return undefined
    } catch {
      // The next attempt omits the flag.
    }
  return `${JSON.stringify(source.slice(0, 60))} is not a regular expression`
}
