/**
 * Finds the data that an input schema asks for: each property that it declares anywhere, and which are required. Finds the
 * texts at each location of a schema too.
 */
import { inlineRefs } from '../diff/schema/inline-refs.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { keywords, textKeywords } from '../schema/keywords.ts'
import { subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'

const maxVisits = 50_000

/**
 * Returns the locations of declared properties in the value, as JSON Pointers; `~2` is any item or undeclared property,
 * `~3` begins a pattern, and `~4` at the end means that it is required: no name contains these. Alternatives and references
 * count where they apply, so a schema that is only written differently has the same locations. Null if the references
 * cannot be followed, or the schema is too large.
 */
export function listDeclaredData(schema: JsonSchema): ReadonlySet<string> | null {
  const found = new Set<string>()
  const isComplete = visitParts(schema, ({ part, path, isNamed }) => {
    if (isNamed) found.add(path)
    for (const each of readNames(own(part, 'required'))) found.add(`${path}${pointerStep(each)}~4`)
    const dependent = own(part, 'dependentRequired')
    for (const names of isObject(dependent) ? Object.values(dependent) : [])
      for (const each of readNames(names)) found.add(`${path}${pointerStep(each)}~4`)
  })
  return isComplete ? found : null
}

/** The texts about the values at one location: about each value of a choice or an `enum`, and at `''` the others. */
type PlacedTexts = ReadonlyMap<string, readonly string[]>

/** A location whose texts are not those that were there. */
export interface TextDifference {
  /** See `listDeclaredData`. */
  readonly path: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Returns the locations of the value that have other titles or descriptions, however both schemas are written: validators
 * ignore which of two values a description is about, and a model does not. A text that went away with its property or
 * its alternative does not count. Null if the references cannot be followed, or a schema is too large.
 */
export function comparePlacedTexts(before: JsonSchema, after: JsonSchema): readonly TextDifference[] | null {
  const [old, now] = [listPlacedTexts(before), listPlacedTexts(after)]
  if (old === null || now === null) return null
  return [...now].flatMap(([path, texts]) =>
    [...texts].flatMap(([about, given]) => {
      const [was, is] = [(old.get(path)?.get(about) ?? []).toSorted(), given.toSorted()]
      const isEqual =
        about === '' ? is.every(text => was.includes(text)) : canonicalJson(was) === canonicalJson(is)
      return isEqual ? [] : [{ path: about === '' ? path : `${path} ${about}`, before: was, after: is }]
    }),
  )
}

function listPlacedTexts(schema: JsonSchema): ReadonlyMap<string, PlacedTexts> | null {
  const found = new Map<string, Map<string, string[]>>()
  const isComplete = visitParts(schema, ({ part, path, isChoice }) => {
    const at = found.get(path) ?? new Map<string, string[]>()
    found.set(path, at)
    const textsAbout = (about: string) => {
      const texts = at.get(about) ?? []
      at.set(about, texts)
      return texts
    }
    const values = Object.hasOwn(part, 'const') ? [own(part, 'const')] : own(part, 'enum')
    const abouts = Array.isArray(values) ? values.map(canonicalJson) : []
    for (const about of abouts) textsAbout(about)
    const texts = [...textKeywords].flatMap(name => {
      const text = own(part, name)
      return typeof text === 'string' ? [text] : []
    })
    if (!isChoice || abouts.length === 0) textsAbout('').push(...texts)
    else for (const about of abouts) textsAbout(about).push(...texts)
    for (const [name, note] of listNotes(part)) {
      // Such as `enumDescriptions`: the first is about the first value.
      const isPerValue = Array.isArray(note) && !keywords.has(name) && note.length === abouts.length
      for (const [at, about] of abouts.entries())
        if (isPerValue || isChoice)
          textsAbout(about).push(`${name}: ${canonicalJson(isPerValue ? note[at] : note)}`)
    }
  })
  return isComplete ? found : null
}

/** Returns the members that no validator reads, without the texts: unknown ones, defaults, examples. */
const listNotes = (part: UnknownObject) =>
  Object.entries(part).filter(([name]) => {
    const role = keywords.get(name)?.role ?? 'annotation'
    return role === 'annotation' && name !== 'deprecated'
  })

/**
 * Visits each part of a schema, with the location of the values that it describes. @returns false if the references cannot
 * be followed, or the schema is too large
 */
function visitParts(schema: JsonSchema, visit: (visited: VisitedPart) => void): boolean {
  const inlined = inlineRefs(schema, '')
  if (inlined === undefined) return false
  const open: OpenPart[] = [{ part: inlined.root, path: '', within: [] }]
  let visits = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path, within, isNamed = false, isChoice = false } = next
    // `true` and `false` have no parts.
    visit({ part: isObject(part) ? part : {}, path, isNamed, isChoice })
    if (!isObject(part)) continue
    visits += 1
    if (visits > maxVisits) return false
    // Only a definition that contains itself is still referred to. Its first level is enough.
    const name = /^#\/\$defs\/(.*)$/s.exec(String(own(part, '$ref') ?? ''))?.[1]
    if (name !== undefined && !within.includes(name))
      open.push({ part: own(inlined.definitions, name), path, within: [...within, name], isChoice })
    for (const { schema: inner, path: steps } of subschemas(part)) {
      const [keyword, key = ''] = steps
      open.push({
        part: inner,
        path: `${path}${describeStep(keyword, key)}`,
        within,
        isNamed: named.has(keyword),
        isChoice: keyword === 'anyOf' || keyword === 'oneOf',
      })
    }
  }
  return true
}

interface VisitedPart {
  readonly part: UnknownObject
  readonly path: string
  /** It is declared by a name or a pattern. */
  readonly isNamed: boolean
  /** It is one of several alternatives. */
  readonly isChoice: boolean
}

interface OpenPart extends Partial<Omit<VisitedPart, 'part' | 'path'>> {
  readonly part: unknown
  readonly path: string
  /** Names of the recursive definitions that it is in. */
  readonly within: readonly string[]
}

const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
const manyParts: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
])

/** Returns the step from a value to the part that a subschema describes; empty if it describes the same value. */
function describeStep(keyword: string, key: string | number): string {
  if (keyword === 'properties') return pointerStep(key)
  if (keyword === 'patternProperties') return `/~3${pointerStep(key)}`
  return manyParts.has(keyword) ? '/~2' : ''
}

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
