/** Flattens one level of a schema: follows `$ref`s and merges `allOf` members. Only for rendering. */

import { jsonIncludes } from '../json/equality.ts'
import { isObject, setOwnMember } from '../json/json.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'

export interface Conditional {
  readonly if: JsonSchema
  readonly then: JsonSchema
  readonly else: JsonSchema
}

export interface FlatSchema {
  /** All keywords except references, combinations and conditions. */
  readonly keywords: SchemaObject
  /** Each `anyOf` and `oneOf` of the level. All of them apply together. */
  readonly unions: readonly UnionOf[]
  readonly conditionals: readonly Conditional[]
  /** Schemas that apply while a key is present. */
  readonly dependentSchemas: readonly (readonly [string, JsonSchema])[]
  /** Keys that are required while a key is present. */
  readonly dependentRequired: readonly (readonly [string, readonly string[]])[]
  /** A member is `false`: no value is valid. */
  readonly never: boolean
  /** For the user: what could not be followed. */
  readonly notices: readonly string[]
}

export interface UnionOf {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly members: readonly JsonSchema[]
}

/** Maximum schemas in one level: real ones have fewer than 30, and a hostile schema must end. */
const maxMembers = 300

const combining = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
])

/** Flattens one level of `schema`; `root` resolves references. Children stay unchanged. */
export function flattenSchema(schema: JsonSchema, root: JsonSchema): FlatSchema {
  let keywords: SchemaObject | undefined
  let never = false
  const unions: UnionOf[] = []
  const conditionals: Conditional[] = []
  const dependentSchemas: [string, JsonSchema][] = []
  const dependentRequired: [string, readonly string[]][] = []
  const notices = new Set<string>()
  const seen = new Set<object>()
  const queue: JsonSchema[] = [schema]

  for (let taken = 0; queue.length > 0; taken++) {
    if (taken >= maxMembers) {
      notices.add('This schema combines more parts than are shown.')
      break
    }
    const member = queue.shift()
    if (member === false) never = true
    if (!isObject(member)) continue
    if (seen.has(member)) continue
    seen.add(member)
    if (member.not === true || (isObject(member.not) && Object.keys(member.not).length === 0)) never = true
    const own = ownKeywords(member)
    keywords = keywords === undefined ? own : mergeSchemas(keywords, own)
    collectUnion('anyOf', member.anyOf)
    collectUnion('oneOf', member.oneOf)
    collectConditions(member)
    const next: JsonSchema[] = []
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const ref = member[keyword]
      if (typeof ref !== 'string') continue
      const target = resolveRef(root, ref)
      if (target === undefined) notices.add(`The reference ${ref} has no target in this schema.`)
      else next.push(target)
    }
    if (Array.isArray(member.allOf)) next.push(...member.allOf.filter(isSchema).slice(0, maxMembers))
    queue.unshift(...next)
  }
  return {
    keywords: keywords ?? {},
    unions,
    conditionals,
    dependentSchemas,
    dependentRequired,
    never,
    notices: [...notices],
  }

  function collectUnion(keyword: UnionOf['keyword'], members: unknown): void {
    if (!Array.isArray(members)) return
    const schemas = members.filter(isSchema)
    if (schemas.length > 0) unions.push({ keyword, members: schemas })
  }

  function collectConditions(member: SchemaObject): void {
    if (isSchema(member.if))
      conditionals.push({
        if: member.if,
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: isSchema(member.then) ? member.then : true,
        else: isSchema(member.else) ? member.else : true,
      })
    for (const keyword of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
      const map = member[keyword]
      if (!isObject(map)) continue
      for (const [key, demand] of Object.entries(map)) {
        if (Array.isArray(demand))
          dependentRequired.push([key, demand.filter(name => typeof name === 'string')])
        else if (isSchema(demand)) dependentSchemas.push([key, demand])
      }
    }
  }
}

/** Returns the schema for a flattened one, without one of its unions. */
export function withoutUnion(flat: FlatSchema, omitted: UnionOf | undefined): SchemaObject {
  const {
    title: _title,
    description: _description,
    default: _default,
    examples: _examples,
    ...rest
  } = flat.keywords
  const allOf: SchemaObject[] = [
    ...flat.unions.filter(union => union !== omitted).map(union => ({ [union.keyword]: union.members })),
    ...flat.conditionals.map(conditional => ({ ...conditional })),
  ]
  return {
    ...rest,
    ...(allOf.length > 0 && { allOf }),
    ...(flat.dependentSchemas.length > 0 && { dependentSchemas: Object.fromEntries(flat.dependentSchemas) }),
    ...(flat.dependentRequired.length > 0 && {
      dependentRequired: Object.fromEntries(flat.dependentRequired),
    }),
  }
}

function ownKeywords(schema: SchemaObject): SchemaObject {
  if (!Object.keys(schema).some(keyword => combining.has(keyword))) return schema
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !combining.has(keyword)))
}

/*
 * Merges the members of `allOf` (and a `$ref` with its siblings) for rendering. Verdicts never come from a merged
 * schema.
 */

type Merge = (left: unknown, right: unknown) => unknown

/**
 * Returns the demands of both schemas in one object, as far as one level allows. If a keyword cannot be combined, the
 * first schema's value is kept: it is the outer schema, with the title and description for this location.
 */
function mergeSchemas(left: SchemaObject, right: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...left }
  for (const [keyword, value] of Object.entries(right)) {
    const merge = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined
    if (!Object.hasOwn(merged, keyword)) setOwnMember(merged, keyword, value)
    else if (merge) setOwnMember(merged, keyword, merge(merged[keyword], value))
  }
  return merged
}

const rules: Readonly<Record<string, Merge>> = {
  properties: mergeMaps,
  patternProperties: mergeMaps,
  required: union,
  type: intersectTypes,
  enum: intersectValues,
  items: bothSchemas,
  additionalProperties: (left, right) =>
    left === false || right === false ? false : bothSchemas(left, right),
  propertyNames: bothSchemas,
  contains: bothSchemas,
  prefixItems: mergeLists,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  uniqueItems: (left, right) => left === true || right === true,
}

function bothSchemas(left: unknown, right: unknown): unknown {
  if (left === right || right === true || isEmptySchema(right)) return left
  if (left === true || isEmptySchema(left)) return right
  return { allOf: [left as JsonSchema, right as JsonSchema] }
}

function isEmptySchema(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

function mergeMaps(left: unknown, right: unknown): unknown {
  if (!isObject(left)) return right
  if (!isObject(right)) return left
  const merged = { ...left }
  for (const [name, schema] of Object.entries(right))
    setOwnMember(merged, name, Object.hasOwn(merged, name) ? bothSchemas(merged[name], schema) : schema)
  return merged
}

function mergeLists(left: unknown, right: unknown): unknown {
  if (!Array.isArray(left)) return right
  if (!Array.isArray(right)) return left
  const longer = left.length >= right.length ? left : right
  return longer.map((item, index) =>
    index < Math.min(left.length, right.length) ? bothSchemas(left[index], right[index]) : item,
  )
}

function union(left: unknown, right: unknown): unknown {
  return [...new Set([...toList(left), ...toList(right)])]
}

function intersectValues(left: unknown, right: unknown): unknown {
  const both = toList(left).filter(jsonIncludes(toList(right)))
  return both.length > 0 ? both : left
}

function intersectTypes(left: unknown, right: unknown): unknown {
  const others = typeList(right)
  const both = typeList(left).flatMap(type => {
    if (others.includes(type)) return [type]
    if (type === 'number' && others.includes('integer')) return ['integer']
    return type === 'integer' && others.includes('number') ? ['integer'] : []
  })
  if (both.length === 0) return left
  return both.length === 1 ? both[0] : both
}

function typeList(type: unknown): unknown[] {
  return Array.isArray(type) ? type : [type]
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function larger(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.max(left, right) : left
}

function smaller(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.min(left, right) : left
}
