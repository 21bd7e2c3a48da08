/** Lists the constraints of one schema, and finds which of them a failed validation broke. */
import type { SchemaFailure } from '../compat/schema-failure.ts'
import { isObject, own } from '../json/json.ts'
import type { SchemaObject } from '../schema/schema.ts'
import { jsonTypeNames } from '../schema/type-words.ts'
import { isOfFormat } from '../validation/string-formats.ts'

/** One rule of a schema that an input can break. */
export interface Constraint {
  /** JSON Pointer (RFC 6901) into the input schema, to the schema that has the keyword. */
  readonly pointer: string
  readonly keyword: string
  /** The keyword's value; for `required` and `dependentRequired` the name of one property. */
  readonly value: unknown
}

/** A constraint together with the schema object that has it. */
export interface SiteConstraint extends Constraint {
  readonly schema: SchemaObject
  /** The property that a missing or forbidden one depends on. */
  readonly because?: string
}

const plainKeywords = [
  'const',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'anyOf',
  'oneOf',
  'not',
]
/** Keywords that forbid additional members if they are `false`. */
const closingKeywords = [
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'additionalItems',
  'unevaluatedItems',
]

/**
 * Returns the constraints of a schema, without those of the schemas inside it. The type of the whole input does not
 * count: MCP sends an object. A type does not count next to `enum` or `const`, which contain it.
 */
export function listConstraints(schema: SchemaObject, pointer: string, isRoot: boolean): SiteConstraint[] {
  const found: SiteConstraint[] = []
  const add = (keyword: string, value: unknown, because?: string) =>
    found.push({ pointer, keyword, value, schema, ...(because !== undefined && { because }) })
  const type = own(schema, 'type')
  const hasValues = own(schema, 'enum') !== undefined || Object.hasOwn(schema, 'const')
  if (type !== undefined && !isRoot && !hasValues && !allowsEveryType(type)) add('type', type)
  for (const keyword of plainKeywords)
    if (Object.hasOwn(schema, keyword) && hasEffect(keyword, schema[keyword])) add(keyword, schema[keyword])
  const { format } = schema
  if (typeof format === 'string' && isKnownFormat(format)) add('format', format)
  for (const name of names(own(schema, 'required'))) add('required', name)
  for (const keyword of ['dependentRequired', 'dependencies']) {
    const map = own(schema, keyword)
    if (isObject(map))
      for (const [because, needed] of Object.entries(map))
        for (const name of names(needed)) add(keyword, name, because)
  }
  for (const keyword of closingKeywords) if (own(schema, keyword) === false) add(keyword, false)
  const properties = own(schema, 'properties')
  if (isObject(properties))
    for (const [name, inner] of Object.entries(properties)) if (inner === false) add('properties', name)
  return found
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
}

function allowsEveryType(type: unknown): boolean {
  return (
    Array.isArray(type) &&
    jsonTypeNames.every(name => name === 'integer' || (type as unknown[]).includes(name))
  )
}

function hasEffect(keyword: string, value: unknown): boolean {
  if (keyword === 'uniqueItems') return value === true
  // Up to draft 4, these are flags of `minimum` and `maximum`.
  if (keyword.startsWith('exclusive')) return typeof value !== 'boolean'
  return !/^min[A-Z]/.test(keyword) || value !== 0
}

/** A text that no format of a text accepts: it has control characters, blanks and brackets. */
const noFormat = '\u0001 <not> {valid} [at] \\all %'

function isKnownFormat(format: string): boolean {
  return !isOfFormat(format, noFormat) || !isOfFormat(format, 1.5)
}

/**
 * Returns the other failures of a validation if it broke `target`; undefined if it did not. In a union, the branch with
 * the fewest other failures counts, because every other branch fails on a valid input too.
 */
export function otherFailures(
  failures: readonly SchemaFailure[],
  target: SiteConstraint,
): readonly SchemaFailure[] | undefined {
  let isBroken = false
  const others: SchemaFailure[] = []
  for (const failure of failures) {
    // A schema that fails evaluates no members, so each of them is unevaluated: a consequence, not another cause.
    if (isUnevaluated(failure) && !target.keyword.startsWith('unevaluated')) continue
    if (breaks(failure, target)) {
      isBroken = true
      continue
    }
    const best = (failure.branches ?? [])
      .flatMap(branch => {
        const found = otherFailures(branch, target)
        return found === undefined ? [] : [found]
      })
      .sort((left, right) => left.length - right.length)[0]
    if (best === undefined) others.push(failure)
    else {
      isBroken = true
      others.push(...best)
    }
  }
  return isBroken ? others : undefined
}

function isUnevaluated({ keyword, schemaPath }: SchemaFailure): boolean {
  return keyword === 'false' && /\/unevaluated(?:Properties|Items)$/.test(schemaPath)
}

function breaks(
  failure: SchemaFailure,
  { schema, keyword, value, because, pointer }: SiteConstraint,
): boolean {
  if (closingKeywords.includes(keyword))
    return failure.keyword === 'false' && failure.schemaPath === `${pointer}/${keyword}`
  if (keyword === 'properties')
    return failure.keyword === 'false' && failure.schemaPath.startsWith(`${pointer}/properties/`)
  if (failure.schema !== schema || failure.keyword !== keyword) return false
  if (because !== undefined) return failure.property === value && failure.because === because
  return keyword !== 'required' || failure.property === value
}
