/**
 * Checks the report independently of the containment engine, only with Ajv. From a value that both versions accept it
 * makes one with a part more (or a property less) that only the inner side accepts; the report must name that location.
 */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Change, DiffSide } from '../core/diff/change.ts'
import { sampleValue } from '../core/form/sample.ts'
import { isObject, own, type UnknownObject } from '../core/json/json.ts'
import { pointerSegments, toPointer, withPart } from '../core/json/pointer.ts'
import { detectDialect } from '../core/schema/dialect.ts'
import { resolveRef } from '../core/schema/schema-document.ts'
import type { JsonSchema } from '../core/tool/tool.ts'
import { pseudoRandom } from '../core/validation/random.ts'

export interface Miss {
  readonly tool: string
  readonly direction: 'input' | 'output'
  readonly path: string
  readonly value: unknown
}

export interface OracleResult {
  /** Values that one side accepts and the other refuses. */
  readonly breaks: number
  /** Breaks whose location no breaking change names. */
  readonly misses: readonly Miss[]
}

type Accepts = (value: unknown) => boolean
type Steps = readonly (string | number)[]

const maxDepth = 6
const samplesOfEach = 12

/** Compares tools that both versions have; `changes` is the report on the two. */
export function askOracle(before: DiffSide, after: DiffSide, changes: readonly Change[]): OracleResult {
  const misses: Miss[] = []
  let breaks = 0
  for (const old of before.tools) {
    const now = after.tools.find(tool => tool.name === old.name)
    if (now === undefined) continue
    const pairs = [
      ['input', withoutDefaults(old.inputSchema), withoutDefaults(now.inputSchema)] as const,
      ...(old.outputSchema === undefined || now.outputSchema === undefined
        ? []
        : [['output', now.outputSchema, old.outputSchema] as const]),
    ]
    for (const [direction, inner, outer] of pairs)
      for (const { path, value } of breakingValues(inner, outer, direction)) {
        breaks += 1
        const named = changes
          .filter(
            change =>
              change.severity === 'breaking' &&
              change.direction === direction &&
              (change.tool === old.name || change.tools?.includes(old.name)),
          )
          .flatMap(change => [change.path, ...(change.alsoAt ?? []), ...(change.refusedAt ?? [])])
        const isNamed = named.some(at => at === path || at.startsWith(`${path}/`))
        if (!isNamed && !isExplained({ path, value }, named, inner, outer, direction))
          misses.push({ tool: old.name, direction, path, value })
      }
  }
  return { breaks, misses }
}

/**
 * Returns inputs that a client of `before` may have sent, with whether `after` accepts them: samples that both accept,
 * and for each location a value that only the first accepts.
 */
export function frozenInputs(
  before: JsonSchema,
  after: JsonSchema,
): { value: unknown; isAccepted: boolean }[] {
  const [inner, outer] = [withoutDefaults(before), withoutDefaults(after)]
  const [takes, other] = [compileSchema(inner), compileSchema(outer)]
  const samples = generateSamples(inner).filter(takes)
  const broken = [...breakingValues(inner, outer, 'input')].map(({ value }) => value)
  return [...samples, ...broken].map(value => ({ value, isAccepted: other(value) }))
}

/**
 * Yields one value for each location: `inner` accepts it, `outer` refuses it, and without the part at `path` both
 * accept it.
 */
function* breakingValues(inner: JsonSchema, outer: JsonSchema, direction: 'input' | 'output') {
  const takes = compileSchema(inner)
  const other = compileOuter(outer, direction)
  const named = new Set<string>()
  const bases = generateSamples(inner, outer).filter(value => takes(value) && other(value))
  for (const { at, schema, required } of placesOf(inner, inner)) {
    const path = toPointer(at)
    for (const base of bases) {
      const parent = read(base, at.slice(0, -1))
      const last = at.at(-1)
      if (last === undefined || named.has(path)) continue
      if (last === '*' ? !Array.isArray(parent) : !isObject(parent)) continue
      const candidates = generatePartValues(schema, inner).map(part =>
        last === '*' ? write(base, [...at.slice(0, -1), 0], part) : write(base, at, part),
      )
      if (last !== '*' && !required && isObject(parent) && Object.hasOwn(parent, last))
        candidates.push(remove(base, at))
      const broken = candidates.find(value => takes(value) && !other(value))
      if (broken === undefined) continue
      named.add(path)
      yield { path, value: broken }
    }
  }
}

/**
 * Whether the report names a cause at another location. Both schemas must be equal at `path`, so that nothing can be
 * named there, and with the named part as `inner` has it, `outer` must accept the value again. This is so if a choice
 * counts its branches: `type` is no longer constant in a branch of `oneOf`, therefore `page_id`, which did not change,
 * makes a second branch match. A location around `path` does not count: to undo it undoes every change inside it.
 */
function isExplained(
  { path, value }: { readonly path: string; readonly value: unknown },
  named: readonly string[],
  inner: JsonSchema,
  outer: JsonSchema,
  direction: 'input' | 'output',
): boolean {
  const [ours, theirs] = [inner, outer].map(schema => [...placesOf(schema, schema)])
  const describe = (places: readonly PlaceOf[] = []) =>
    JSON.stringify(
      places
        .filter(({ at }) => toPointer(at) === path)
        .map(({ keys, schema, required }) => [keys, schema, required]),
    )
  if (describe(ours) !== describe(theirs)) return false
  return named.some(location => {
    if (path.startsWith(`${location}/`)) return false
    const parts = ours?.filter(({ at }) => toPointer(at) === location) ?? []
    const undone = parts.reduce<unknown>((schema, { keys, schema: part }) => write(schema, keys, part), outer)
    return parts.length > 0 && compileOuter(undone as JsonSchema, direction)(value)
  })
}

function compileOuter(outer: JsonSchema, direction: 'input' | 'output'): Accepts {
  return compileSchema(direction === 'output' ? opened(outer) : outer)
}

function compileSchema(schema: JsonSchema): Accepts {
  const isOld = ['draft-04', 'draft-06', 'draft-07'].includes(detectDialect(schema))
  const options = { strict: false, logger: false, validateFormats: false, validateSchema: false } as const
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options)
  const { $schema: _, ...rest } = isObject(schema) ? (schema as UnknownObject) : { not: {} }
  const validate = ajv.compile(schema === true ? {} : rest)
  return value => isObject(value) && validate(value) === true
}

/** Returns the schema for a caller: a required property that has a default may be left out. */
function withoutDefaults(schema: unknown): JsonSchema {
  if (!isObject(schema)) return schema as JsonSchema
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')]
  const hasDefault = (name: unknown) => {
    const part = isObject(properties) ? own(properties, String(name)) : undefined
    return isObject(part) && Object.hasOwn(part, 'default')
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'required' && Array.isArray(required))
        return [keyword, required.filter(name => !hasDefault(name))]
      if (Array.isArray(value)) return [keyword, value.map(withoutDefaults)]
      return [keyword, keyword === 'const' || keyword === 'default' ? value : withoutDefaults(value)]
    }),
  ) as JsonSchema
}

/** Returns the old output schema for a consumer that ignores unknown fields. */
function opened(schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(opened) as unknown as JsonSchema
  if (!isObject(schema)) return schema as JsonSchema
  const isClosed = isObject(own(schema, 'properties')) && own(schema, 'additionalProperties') === false
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !(isClosed && keyword === 'additionalProperties'))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'const' || keyword === 'enum' ? value : opened(value),
      ]),
  ) as JsonSchema
}

function generateSamples(...schemas: readonly JsonSchema[]): unknown[] {
  return schemas.flatMap(schema => [
    sampleValue(schema, { optional: 'none' }),
    sampleValue(schema, { optional: 'all' }),
    ...Array.from({ length: samplesOfEach }, (_, seed) =>
      sampleValue(schema, { optional: 'some', random: pseudoRandom(seed) }),
    ),
    {},
  ])
}

interface PlaceOf {
  /** The location in a value; `*` is an item. */
  readonly at: Steps
  /** The location in the schema. */
  readonly keys: Steps
  readonly schema: unknown
  readonly required: boolean
}

/** Yields every declared property and every list of items. */
function* placesOf(
  root: JsonSchema,
  node: unknown,
  { at, keys }: { readonly at: Steps; readonly keys: Steps } = { at: [], keys: [] },
  depth = 0,
): Generator<PlaceOf> {
  const { schema, keys: base } = follow(root, node, keys)
  if (!isObject(schema) || depth > maxDepth) return
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (isObject(properties))
    for (const [name, part] of Object.entries(properties)) {
      const isRequired = Array.isArray(required) && required.includes(name)
      const place = { at: [...at, name], keys: [...base, 'properties', name] }
      yield { ...place, schema: part, required: isRequired }
      yield* placesOf(root, part, place, depth + 1)
    }
  const items = own(schema, 'items')
  if (isObject(items)) {
    const place = { at: [...at, '*'], keys: [...base, 'items'] }
    yield { ...place, schema: items, required: true }
    yield* placesOf(root, items, place, depth + 1)
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = own(schema, keyword)
    if (!Array.isArray(branches)) continue
    for (const [index, branch] of branches.entries())
      yield* placesOf(root, branch, { at, keys: [...base, keyword, index] }, depth + 1)
  }
}

/** Returns the schema that a reference leads to, and its location. */
function follow(
  root: JsonSchema,
  node: unknown,
  keys: Steps = [],
  hops = 0,
): { schema: unknown; keys: Steps } {
  const reference = isObject(node) ? own(node, '$ref') : undefined
  if (typeof reference !== 'string' || hops > 10) return { schema: node, keys }
  return follow(
    root,
    resolveRef(root, reference),
    pointerSegments(decodeURIComponent(reference.slice(1))),
    hops + 1,
  )
}

/** Returns values for a part: its enum values, or samples of it. */
function generatePartValues(part: unknown, root: JsonSchema): unknown[] {
  const { schema } = follow(root, part)
  const listed = isObject(schema) ? own(schema, 'enum') : undefined
  if (Array.isArray(listed)) return listed
  const whole = isObject(schema) && isObject(root) ? { ...pickDefinitions(root), ...schema } : schema
  return [
    sampleValue(whole as JsonSchema, { optional: 'none' }),
    sampleValue(whole as JsonSchema, { optional: 'all' }),
    sampleValue(whole as JsonSchema, { optional: 'some', random: pseudoRandom(3) }),
  ]
}

function pickDefinitions(root: UnknownObject): UnknownObject {
  return Object.fromEntries(
    ['$schema', '$defs', 'definitions'].flatMap(name =>
      Object.hasOwn(root, name) ? [[name, root[name]]] : [],
    ),
  )
}

/** `*` reads the first item. */
function read(value: unknown, at: Steps): unknown {
  return at.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[step === '*' ? 0 : Number(step)]
    return isObject(inner) ? own(inner, String(step)) : undefined
  }, value)
}

function write(value: unknown, at: Steps, part: unknown): unknown {
  return withPart(value, at.map(String), part)
}

function remove(value: unknown, at: Steps): unknown {
  const parent = read(value, at.slice(0, -1))
  const { [String(at.at(-1))]: _, ...rest } = isObject(parent) ? parent : {}
  return at.length === 1 ? rest : write(value, at.slice(0, -1), rest)
}
