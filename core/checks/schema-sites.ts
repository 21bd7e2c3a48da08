/** Walks over the schemas inside an input schema, with a valid input that reaches each of them. */
import { isObject, type Json, type JsonObject, own } from '../json/json.ts'
import { type Path, valueAt, withPart } from '../json/pointer.ts'
import { isSince } from '../schema/keywords.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { samplePattern } from '../validation/sample-pattern.ts'
import type { InputChecks } from './input-checks.ts'

/** A schema and a location in the input to which it applies. */
export interface SchemaSite {
  readonly schema: SchemaObject
  /** JSON Pointer to the schema. */
  readonly pointer: string
  /** Keys from the input to the location. */
  readonly path: Path
  /** A valid input whose part at `path` matches the schema; undefined if none was found. */
  readonly base: Json | undefined
  /** Whether the schema is one of several that a value may match: a branch of a union or condition. */
  readonly isBranch: boolean
  /** Keys to the value of the outermost union that the schema is in. A validator may report only the union. */
  readonly union: Path | undefined
  /** The branches of `anyOf` around the schema, the outermost first. */
  readonly alternatives: readonly Alternative[]
}

/** A branch of `anyOf` and the other branches, which may accept what this one refuses. */
export interface Alternative {
  readonly branch: JsonSchema
  readonly rivals: readonly JsonSchema[]
}

interface Child {
  readonly schema: JsonSchema
  readonly path: Path
  readonly isBranch?: boolean
  /** The other branches of a union, which the base matches only if no other base was found. */
  readonly rivals?: readonly JsonSchema[]
  readonly isAnyOf?: boolean
  /** Parts for `from`, which may make the input reach the child. */
  readonly parts: () => Iterable<Json>
  /** The location of the parts. */
  readonly from: Path
}

const maxSites = 3_000
/** Values in all copies of an input together. Each site and each generated input needs a copy, which is validated. */
const maxValues = 200_000
const maxPath = 12
/** The same schema is visited again if no valid input reached it, as often as this. */
const maxVisits = 3

/** Yields the sites of the root schema, level by level. */
export function* schemaSites(base: Json, checks: InputChecks): Generator<SchemaSite> {
  const { root } = checks
  if (!isObject(root)) return
  const visits = new Map<SchemaObject, { count: number; isReached: boolean }>()
  const queue: SchemaSite[] = [
    { schema: root, pointer: '', path: [], base, isBranch: false, union: undefined, alternatives: [] },
  ]
  const limit = Math.min(maxSites, maxCopies(base))
  for (let at = 0; at < queue.length; at++) {
    const site = queue[at] as SchemaSite
    const visit = visits.get(site.schema) ?? { count: 0, isReached: false }
    visits.set(site.schema, visit)
    if (visit.isReached || visit.count >= maxVisits) continue
    visit.count += 1
    visit.isReached = site.base !== undefined
    yield site
    if (site.path.length > maxPath) continue
    for (const child of children(site, checks)) {
      const { schema, path, isBranch = false, rivals = [], isAnyOf } = child
      if (!isObject(schema)) continue
      if (visits.get(schema)?.isReached) continue
      if (queue.length >= limit) break
      queue.push({
        schema,
        pointer: checks.locate(schema),
        path,
        isBranch,
        union: site.union ?? (rivals.length > 0 ? site.path : undefined),
        alternatives: isAnyOf ? [...site.alternatives, { branch: schema, rivals }] : site.alternatives,
        base: site.base === undefined ? undefined : findBase(child, site.base, checks),
      })
    }
  }
}

/** Returns how many copies of an input may be validated, so that a huge one does not block the thread for minutes. */
export function maxCopies(input: Json): number {
  return Math.ceil(maxValues / countValues(input))
}

function countValues(value: Json): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countValues(item), 1)
  return isObject(value) ? Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1) : 1
}

/** Returns the first valid input with a part that matches the child, one that matches no rival if there is one. */
function findBase(
  { schema, path, from, parts, rivals = [] }: Child,
  base: Json,
  checks: InputChecks,
): Json | undefined {
  let found: Json | undefined
  for (const part of parts()) {
    // The base is valid: a copy of it with the same part need not be made and validated for each of thousands of members.
    const input = part === valueAt(base, from) ? base : (withPart(base, from.map(String), part) as Json)
    const value = valueAt(input, path) as Json | undefined
    if (value === undefined || !isObject(input) || !checks.isValid(value, schema)) continue
    if (input !== base && !checks.isValid(input)) continue
    if (!rivals.some(rival => checks.isValid(value, rival))) return input
    found ??= input
  }
  return found
}

function* children(site: SchemaSite, checks: InputChecks): Generator<Child> {
  const { schema, path, base } = site
  const value = base === undefined ? undefined : (valueAt(base, path) as Json)
  const same = { path, from: path }
  const current = function* () {
    if (value !== undefined) yield value
  }
  const reference = own(schema, '$ref')
  if (typeof reference === 'string') {
    const target = resolveRef(checks.root, reference)
    if (target !== undefined) yield { ...same, schema: target, parts: current, isBranch: site.isBranch }
    if (!isSince(checks.dialect, '2019-09')) return
  }
  for (const inner of list(schema.allOf)) yield { ...same, schema: inner, parts: current }
  yield* unionChildren(site, value, checks)
  yield* conditionChildren(site, value, checks)
  yield* propertyChildren(site, value, checks)
  yield* itemChildren(site, value, checks)
}

function list(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

function* unionChildren(
  { schema, path }: SchemaSite,
  value: Json | undefined,
  checks: InputChecks,
): Generator<Child> {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = list(own(schema, keyword))
    const { [keyword]: _, ...others } = schema
    for (const branch of branches)
      yield {
        schema: branch,
        path,
        from: path,
        isBranch: true,
        isAnyOf: keyword === 'anyOf',
        rivals: branches.filter(each => each !== branch),
        parts: function* () {
          if (value !== undefined) yield value
          yield* mergedParts([others, branch], value, checks)
        },
      }
  }
}

/** Yields values that match several schemas at the same location. */
function* mergedParts(
  schemas: readonly JsonSchema[],
  value: Json | undefined,
  checks: InputChecks,
): Generator<Json> {
  const last = schemas.at(-1) ?? true
  const merged = { allOf: schemas } as JsonSchema
  yield checks.sample(merged, { optional: 'none' })
  const own = checks.sample(last, { optional: 'none' })
  yield own
  if (isObject(value) && isObject(own)) yield { ...value, ...own }
  yield checks.sample(merged)
  for (const seed of [3, 4]) yield checks.sample(merged, { random: pseudoRandom(seed), optional: 'some' })
}

function* conditionChildren(
  { schema, path }: SchemaSite,
  value: Json | undefined,
  checks: InputChecks,
): Generator<Child> {
  const { if: condition, ...others } = schema
  const same = { path, from: path }
  if (isSchema(condition))
    for (const keyword of ['then', 'else'] as const) {
      const inner = own(schema, keyword)
      if (!isSchema(inner)) continue
      const demanded = keyword === 'then' ? condition : ({ not: condition } as JsonSchema)
      yield {
        ...same,
        schema: inner,
        isBranch: true,
        *parts() {
          const all = function* () {
            if (value !== undefined) yield value
            yield* mergedParts([others, inner, demanded], value, checks)
            yield* mergedParts([others, demanded, inner], value, checks)
            if (isObject(value)) yield* toggledMembers(value, schema, checks)
          }
          for (const part of all()) if (checks.isValid(part, demanded)) yield part
        },
      }
    }
  for (const keyword of ['dependentSchemas', 'dependencies']) {
    const map = own(schema, keyword)
    if (!isObject(map)) continue
    for (const [name, inner] of Object.entries(map))
      if (isSchema(inner))
        yield {
          ...same,
          schema: inner,
          isBranch: true,
          *parts() {
            const required = { required: [name] } as unknown as JsonSchema
            for (const part of mergedParts([schema as JsonSchema, inner, required], value, checks))
              if (isObject(part) && Object.hasOwn(part, name)) yield part
          },
        }
  }
}

/** Yields an object with each declared enum value and boolean, and without each member: a condition depends on one. */
function* toggledMembers(value: JsonObject, schema: SchemaObject, checks: InputChecks): Generator<Json> {
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    const listed = Array.isArray(property.enum) ? (property.enum as Json[]) : [true, false]
    for (const each of listed.slice(0, 20)) yield { ...value, [name]: each }
    yield { ...value, [name]: checks.sample(property) }
  }
}

function* propertyChildren(
  { schema, path, base }: SchemaSite,
  value: Json | undefined,
  checks: InputChecks,
): Generator<Child> {
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, inner] of Object.entries(properties)) if (isSchema(inner)) yield member(name, inner)
  const patterns = isObject(schema.patternProperties) ? schema.patternProperties : {}
  for (const [pattern, inner] of Object.entries(patterns)) {
    const name = samplePattern(pattern)
    if (name !== null && isSchema(inner)) yield member(name, inner)
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const inner = own(schema, keyword)
    if (!isObject(inner)) continue
    const { propertyNames } = schema
    const named = isSchema(propertyNames) && propertyNames !== true ? checks.sample(propertyNames) : 'key1'
    const known = isObject(value)
      ? Object.keys(value).find(each => !Object.hasOwn(properties, each))
      : undefined
    yield member(known ?? (typeof named === 'string' ? named : 'key1'), inner)
  }

  function member(name: string, inner: JsonSchema): Child {
    return {
      schema: inner,
      path: [...path, name],
      from: path,
      *parts() {
        if (base === undefined) return
        const holder = isObject(value) ? value : {}
        if (Object.hasOwn(holder, name)) yield holder
        // A small input costs less, and says more about what fails.
        const sampled = checks.sample(inner, { optional: 'none' })
        yield { ...holder, [name]: sampled }
        yield { ...holder, [name]: checks.sample(inner) }
        // A declared property may have other demands: a sample with all properties, or with only this one, keeps them.
        const required = { required: [name] } as unknown as JsonSchema
        for (const part of mergedParts([schema as JsonSchema, required], value, checks)) {
          yield part
          if (isObject(part)) yield { ...part, [name]: sampled }
        }
        yield { [name]: sampled }
      },
    }
  }
}

function* itemChildren(
  { schema, path }: SchemaSite,
  value: Json | undefined,
  checks: InputChecks,
): Generator<Child> {
  const prefix = list(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []))
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  const listed = Array.isArray(value) ? (value as readonly Json[]) : []
  const child = (inner: JsonSchema, index: number): Child => ({
    schema: inner,
    path: [...path, index],
    from: path,
    *parts() {
      if (listed.length > index) yield listed
      const before = prefix.slice(listed.length, index).map(each => checks.sample(each))
      for (const optional of ['none', 'all'] as const)
        yield [...listed.slice(0, index), ...before, checks.sample(inner, { optional })]
      yield checks.sample({ allOf: [schema as JsonSchema, { minItems: index + 1 }] } as unknown as JsonSchema)
    },
  })
  for (const [index, inner] of prefix.entries()) yield child(inner, index)
  if (isSchema(rest)) yield child(rest, prefix.length)
  if (isSchema(schema.unevaluatedItems)) yield child(schema.unevaluatedItems, prefix.length)
}
