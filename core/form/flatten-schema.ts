/** One level of a schema with its `$ref`s followed and its `allOf` members merged. For rendering alone. */

import { isObject } from '../json/json.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { mergeSchemas } from './merge-schema.ts'

export interface Conditional {
  readonly if: JsonSchema
  readonly then: JsonSchema
  readonly else: JsonSchema
}

export interface FlatSchema {
  /** Everything but references, combinations and conditions. */
  readonly keywords: SchemaObject
  /** Each `anyOf` and `oneOf` met on the way. All of them apply at once. */
  readonly unions: readonly UnionOf[]
  readonly conditionals: readonly Conditional[]
  /** Schemas that apply while a key is present. */
  readonly dependentSchemas: readonly (readonly [string, JsonSchema])[]
  /** Keys that are required while a key is present. */
  readonly dependentRequired: readonly (readonly [string, readonly string[]])[]
  /** A member is `false`: nothing is valid here. */
  readonly never: boolean
  /** What could not be followed, in words for people. */
  readonly notices: readonly string[]
}

export interface UnionOf {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly members: readonly JsonSchema[]
}

/** How many schemas one level may be made of: real ones stay under 30, a hostile one must end. */
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

/** Flattens one level of `schema`; references are looked up in `root`. Children are left as they are. */
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
      if (target === undefined) notices.add(`The reference ${ref} leads nowhere in this schema.`)
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

/** The schema that a flattened one stands for, with one of its unions left out. */
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
