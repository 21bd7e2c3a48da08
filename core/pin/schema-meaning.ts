/** The proven facts about the values that two input schemas accept, and whether a proof says anything about their parts. */
import { isSubschema } from '../compat/is-subschema.ts'
import { Budget, defaultProofLimits } from '../compat/proof-limits.ts'
import { type DiffOptions, diffManifests } from '../diff/diff-manifests.ts'
import { inlineRefs, toDocument } from '../diff/schema/inline-refs.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { type Dialect, isSince } from '../schema/keywords.ts'
import { isSchema } from '../schema/schema.ts'
import { mapSubschemas, subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { hasLostParts } from './declared-data.ts'

/** The known facts about the values that two input schemas accept. */
export interface SchemaMeaning {
  /** They are proved to be the same. */
  readonly isEquivalent: boolean
  /** Each value that is accepted now is proved to have been accepted. */
  readonly isNarrower: boolean
  /** A part that accepts fewer values is proved not to make the whole accept more. */
  readonly isMonotone: boolean
  /** A property that a part no longer declares is not asked for any longer. */
  readonly isDataGone: boolean
}

export const unknownMeaning: SchemaMeaning = {
  isEquivalent: false,
  isNarrower: false,
  isMonotone: false,
  isDataGone: false,
}

/** Compares the values that both input schemas accept. Declared properties are compared separately. */
export async function compareMeaning(
  old: JsonSchema,
  now: JsonSchema,
  steps: number,
): Promise<SchemaMeaning> {
  const isFewer = await accepts(old, now, { steps })
  const isSame = isFewer && (await accepts(now, old, { steps, formats: 'assert' }))
  const hasChoice = openAlternatives(old) !== old || openAlternatives(now) !== now
  // A proof about values says nothing about a part that no value has.
  const isUsed = (isFewer || hasChoice) && areAllUsed(now, steps)
  const isNarrower = isFewer && isUsed
  const isOpen = async () =>
    !hasChoice || (isUsed && (await isOpenChoice(old, steps)) && (await isOpenChoice(now, steps)))
  return {
    isEquivalent: isSame && isUsed,
    isNarrower,
    isMonotone: isNarrower || (await isOpen()),
    isDataGone: !hasLostParts(old, now),
  }
}

/** Whether the outer schema accepts each value of the inner one, with a proof. */
async function accepts(outer: JsonSchema, inner: JsonSchema, options: DiffOptions): Promise<boolean> {
  const [from, to] = [inner, outer].map(inputSchema => ({ tools: [{ name: 't', inputSchema }] }))
  const { changes } = await diffManifests(from ?? { tools: [] }, to ?? { tools: [] }, options)
  return changes.every(
    ({ strict, breaksWith, witness }) => (strict ?? 'proved') === 'proved' && !breaksWith && !witness,
  )
}

/** Whether `anyOf` in place of `oneOf` means the same: then an alternative with fewer values excludes no others. */
async function isOpenChoice(schema: JsonSchema, steps: number): Promise<boolean> {
  const open = openAlternatives(schema)
  return open === schema || accepts(schema, open, { steps })
}

function openAlternatives(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema
  const inner = mapSubschemas(schema, part => (isSchema(part) ? openAlternatives(part) : part))
  if (!Array.isArray(own(inner, 'oneOf'))) return inner
  const { oneOf, allOf, ...rest } = inner
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: oneOf }] }
}

/** More parts are not tried. */
const maxParts = 400

/**
 * Whether each part of the schema that takes data applies to a value that the schema accepts. A schema that accepts nothing
 * (`maxProperties: 0`) means the same as any other such one, but a model reads its properties and sends them. False if that
 * is not known.
 */
function areAllUsed(schema: JsonSchema, steps: number): boolean {
  const inlined = inlineRefs(openAlternatives(schema), '')
  if (inlined === undefined) return false
  const { root, definitions, dialect } = inlined
  const parts = listParts(root, dialect)
  if (parts.length > maxParts) return false
  const shared = new Budget({ ...defaultProofLimits, steps })
  return parts.every(part => {
    const document = toDocument({ allOf: [root, part] }, dialect, definitions)
    return isSubschema(document, false, { shared }).verdict === 'refuted'
  })
}

/** Returns a schema of the values that have each innermost part. */
function listParts(root: unknown, dialect: Dialect): readonly unknown[] {
  const found: unknown[] = []
  const open: { readonly part: unknown; readonly within: (inner: unknown) => unknown }[] = [
    { part: root, within: inner => inner },
  ]
  for (let next = open.pop(); next !== undefined && found.length <= maxParts; next = open.pop()) {
    const { part, within } = next
    const inner = isObject(part) ? listInner(part, dialect) : []
    if (inner.length === 0 && takesData(part))
      found.push(...listTypes(part).map(type => within({ allOf: [part, type] })))
    for (const each of inner) open.push({ part: each.part, within: value => within(each.within(value)) })
  }
  return found
}

interface InnerPart {
  readonly part: unknown
  /** Returns a schema of the values of the outer part that have the inner one. */
  readonly within: (inner: unknown) => unknown
}

function listInner(part: UnknownObject, dialect: Dialect): readonly InnerPart[] {
  const tuple = isSince(dialect, '2020-12') ? 'prefixItems' : 'items'
  const prefix = own(part, tuple)
  const at = (index: number, inner: unknown) => ({
    type: 'array',
    minItems: index + 1,
    [tuple]: [...Array.from({ length: index }, () => ({})), inner],
  })
  return subschemas(part).flatMap(({ schema: inner, path: [keyword, key = ''] }): readonly InnerPart[] => {
    const having = (within: InnerPart['within']) => [{ part: inner, within }]
    switch (keyword) {
      case 'properties':
        return having(value => ({ type: 'object', required: [key], properties: { [key]: value } }))
      case 'items':
      case 'prefixItems':
        if (typeof key === 'number') return having(value => at(key, value))
        return having(value => at(Array.isArray(prefix) ? prefix.length : 0, value))
      case 'contains':
        return having(value => ({ type: 'array', contains: value }))
      case 'additionalProperties':
        return having(value => holdsOther(part, value))
      case 'patternProperties':
        return having(value => ({ type: 'object', not: { [keyword]: { [key]: { not: value } } } }))
      case 'dependentSchemas':
        return having(value => ({ type: 'object', required: [key], allOf: [value] }))
      case 'then':
        return having(value => ({ allOf: [own(part, 'if') ?? {}, value] }))
      case 'else':
        return having(value => ({ allOf: [{ not: own(part, 'if') ?? {} }, value] }))
      case 'allOf':
      case 'anyOf':
        return having(value => value)
      default:
        return []
    }
  })
}

/** Returns a schema of the objects with a property that is not declared and has this schema. */
function holdsOther(part: UnknownObject, value: unknown): unknown {
  const declared = ['properties', 'patternProperties'].map(keyword => {
    const names = own(part, keyword)
    return [keyword, Object.fromEntries(Object.keys(isObject(names) ? names : {}).map(name => [name, true]))]
  })
  return { type: 'object', not: { ...Object.fromEntries(declared), additionalProperties: { not: value } } }
}

/** Returns a schema for each of several types of a part that take data. */
function listTypes(part: unknown): readonly unknown[] {
  const types = isObject(part) ? own(part, 'type') : undefined
  if (!Array.isArray(types)) return [true]
  return types.filter(type => type !== 'null' && type !== 'boolean').map(type => ({ type }))
}

/** Whether a part takes other values than fixed ones. */
function takesData(part: unknown): boolean {
  if (!isObject(part)) return part !== false
  const isFixed = Object.hasOwn(part, 'const') || Array.isArray(own(part, 'enum'))
  const isNever = Object.keys(part).length === 1 && JSON.stringify(own(part, 'not')) === '{}'
  return !isFixed && !isNever && !['null', 'boolean'].includes(String(own(part, 'type')))
}
