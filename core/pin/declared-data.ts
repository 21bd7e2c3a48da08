/**
 * Finds the data that an input schema asks for: each property that it declares anywhere, and which are required. Finds the
 * texts at each location of a schema too.
 */
import { ignoredSiblings, inlineRefs } from '../diff/schema/inline-refs.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { keywords } from '../schema/keywords.ts'
import { subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { listConditions, listNotes, listTexts, splitTexts, withoutTexts } from './arrange-texts.ts'

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

/**
 * Whether a property lost one of the parts that declared it, and the schema still asks for it: by another part, by
 * `required`, by a pattern or as one of others. What the lost part refused may be accepted then. True if that is not known.
 */
export function hasLostParts(before: JsonSchema, after: JsonSchema): boolean {
  const [old, now] = [countParts(before), countParts(after)]
  if (old === null || now === null) return true
  return [...old.parts].some(([path, count]) => {
    const left = now.parts.get(path) ?? 0
    const parent = path.slice(0, path.lastIndexOf('/'))
    return left < count && (left > 0 || now.required.has(path) || now.maps.has(parent))
  })
}

interface PropertyParts {
  /** How many parts declare each property. */
  readonly parts: ReadonlyMap<string, number>
  readonly required: ReadonlySet<string>
  /** The locations of objects whose other properties have a schema. */
  readonly maps: ReadonlySet<string>
}

function countParts(schema: JsonSchema): PropertyParts | null {
  const parts = new Map<string, number>()
  const [required, maps] = [new Set<string>(), new Set<string>()]
  const isComplete = visitParts(schema, ({ part, path, isNamed }) => {
    if (isNamed) parts.set(path, (parts.get(path) ?? 0) + 1)
    for (const each of readNames(own(part, 'required'))) required.add(`${path}${pointerStep(each)}`)
    for (const keyword of ['patternProperties', 'additionalProperties', 'unevaluatedProperties']) {
      const others = own(part, keyword)
      if (isObject(others) && Object.keys(others).length > 0) maps.add(path)
    }
  })
  return isComplete ? { parts, required, maps } : null
}

/** The texts at one location. */
interface PlacedTexts {
  readonly isApart: boolean
  /** About each value of a choice or an `enum`; at `general` the others, and at `inChoice` those of alternatives. */
  readonly about: ReadonlyMap<string, readonly string[]>
  /** How many alternatives describe the location. */
  choices: number
  /** Its conditions that have texts, see `listConditions`. */
  readonly conditions: readonly string[]
}

interface OpenTexts extends PlacedTexts {
  readonly about: Map<string, string[]>
  readonly conditions: string[]
}

const general = ''
const inChoice = 'an alternative'

/** A location whose texts are not those that were there. */
export interface TextDifference {
  /** See `listDeclaredData`; `~5` begins a keyword whose part is a condition or the like, and `~6` a position in a list. */
  readonly path: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Returns the locations of the value that have other titles, descriptions, defaults or notes, however both schemas are
 * written: validators ignore which of two values a description is about, and a model does not. A text that went away with
 * its property or its alternative does not count. Null if the references cannot be followed, or a schema is too large.
 *
 * @param isStrict a condition with texts that is written differently counts too, because its texts may be about other values
 */
export function comparePlacedTexts(
  before: JsonSchema,
  after: JsonSchema,
  isStrict: boolean,
): readonly TextDifference[] | null {
  const [old, now] = [listPlacedTexts(before), listPlacedTexts(after)]
  if (old === null || now === null) return null
  const gone = [...old].filter(([path, { isApart }]) => isApart && !now.has(path))
  const locations = [...now, ...gone.map(([path]) => [path, { ...nothing, isApart: true }] as const)]
  return locations.flatMap(([path, given]) => {
    const known = old.get(path) ?? nothing
    return [...compareTexts(known, given, path), ...compareConditions(known, given, { path, isStrict })]
  })
}

function compareConditions(
  known: PlacedTexts,
  given: PlacedTexts,
  { path, isStrict }: { readonly path: string; readonly isStrict: boolean },
): readonly TextDifference[] {
  const before = known.conditions.filter(each => !given.conditions.includes(each))
  const after = given.conditions.filter(each => !known.conditions.includes(each))
  const isCounted = isStrict
    ? before.length > 0 && after.length > 0
    : after.some(each => before.some(old => withoutTexts(old) === withoutTexts(each)))
  return isCounted ? [{ path: `${path} conditions`, before, after }] : []
}

function compareTexts(known: PlacedTexts, given: PlacedTexts, path: string): readonly TextDifference[] {
  const { isApart } = given
  const read = ({ about }: PlacedTexts, ...keys: readonly string[]) =>
    keys.flatMap(key => about.get(key) ?? []).toSorted()
  const marked = [...known.about].filter(([about]) => about.startsWith(withinMark))
  const alternatives = new Set(marked.flatMap(([, texts]) => texts))
  const abouts = isApart ? new Set([...given.about.keys(), ...known.about.keys()]) : given.about.keys()
  const found = [...abouts].flatMap(about => {
    if (!isApart && (about === general || about === inChoice)) return []
    const [before, after] = [read(known, about), read(given, about)]
    // An alternative that was not there had no texts, and a text that is new is found at its location.
    const isMoved = () => known.about.has(about) && after.every(text => alternatives.has(text))
    if (about.startsWith(withinMark) && !isMoved()) return []
    const isEqual = canonicalJson(before) === canonicalJson(after)
    // The values of an alternative may be long.
    const subject = about.startsWith(withinMark) ? inChoice : about
    return isEqual ? [] : [{ path: subject === general ? path : `${path} ${subject}`, before, after }]
  })
  if (isApart) return found
  const [before, after] = [read(known, general, inChoice), read(given, general, inChoice)]
  const required = given.choices < known.choices ? read(known, general) : before
  const isSame = after.every(text => before.includes(text)) && required.every(text => after.includes(text))
  return isSame ? found : [...found, { path, before, after }]
}

const nothing: PlacedTexts = { isApart: false, about: new Map(), choices: 0, conditions: [] }
/** Begins the key of an alternative by its values, and of a value that is in one. */
const withinMark = 'in the alternative: '

function listPlacedTexts(schema: JsonSchema): ReadonlyMap<string, PlacedTexts> | null {
  const found = new Map<string, OpenTexts>()
  const isComplete = visitParts(schema, visited => {
    const { part, location, isApart, isChoice, isInChoice, isMember, alternative } = visited
    const openLocation = (path: string, isOwn: boolean) => {
      const at: OpenTexts = found.get(path) ?? {
        ...nothing,
        isApart: isOwn,
        about: new Map(),
        conditions: [],
      }
      found.set(path, at)
      return at
    }
    const textsAt = (path: string, about: string, isOwn = isApart) => {
      const at = openLocation(path, isOwn)
      const texts = at.about.get(about) ?? []
      at.about.set(about, texts)
      return texts
    }
    const abouts = listValues(part).map(canonicalJson)
    const others = isInChoice ? inChoice : general
    openLocation(location, isApart).choices += isInChoice && !isMember ? 1 : 0
    // The conditions in a condition are compared with it.
    if (!isApart) openLocation(location, isApart).conditions.push(...listConditions(part))
    if (isChoice) {
      const texts: string[] = []
      const values = splitTexts(part, '', texts)
      textsAt(location, `${withinMark}${canonicalJson(values)}`).push(...texts)
    }
    for (const about of abouts) {
      textsAt(location, about)
      if (alternative !== '') textsAt(location, `${withinMark}${about}`).push(alternative)
    }
    for (const text of listTexts(part, isApart))
      for (const about of isChoice && abouts.length > 0 ? abouts : [others])
        textsAt(location, about).push(text)
    for (const [name, note] of listNotes(part)) {
      // Such as `enumDescriptions`: the first is about the first value.
      const isPerValue = Array.isArray(note) && !keywords.has(name) && note.length === abouts.length
      if (name === ignoredSiblings) textsAt(`${location}/~5$ref`, general, true).push(canonicalJson(note))
      else if (!isPerValue && (!isChoice || abouts.length === 0))
        textsAt(location, others).push(`${name}: ${canonicalJson(note)}`)
      else
        for (const [at, about] of abouts.entries())
          textsAt(location, about).push(`${name}: ${canonicalJson(isPerValue ? note[at] : note)}`)
    }
  })
  return isComplete ? found : null
}

function listValues(part: UnknownObject): readonly unknown[] {
  const values = Object.hasOwn(part, 'const') ? [own(part, 'const')] : own(part, 'enum')
  return Array.isArray(values) ? values : []
}

/**
 * Visits each part of a schema, with the location of the values that it describes. @returns false if the references cannot
 * be followed, or the schema is too large
 */
function visitParts(schema: JsonSchema, visit: (visited: VisitedPart) => void): boolean {
  const inlined = inlineRefs(schema, '', true)
  if (inlined === undefined) return false
  const root = {
    path: '',
    location: '',
    isNamed: false,
    isApart: false,
    isChoice: false,
    isInChoice: false,
    isMember: false,
    alternative: '',
  }
  const open: OpenPart[] = [{ ...root, part: inlined.root, within: [] }]
  let visits = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, within } = next
    // `true` and `false` have no parts.
    visit({ ...next, part: isObject(part) ? part : {} })
    if (!isObject(part)) continue
    visits += 1
    if (visits > maxVisits) return false
    // Only a definition that contains itself is still referred to. Its first level is enough.
    const name = /^#\/\$defs\/(.*)$/s.exec(String(own(part, '$ref') ?? ''))?.[1]
    if (name !== undefined && !within.includes(name))
      open.push({
        ...next,
        part: own(inlined.definitions, name),
        isNamed: false,
        within: [...within, name],
      })
    for (const { schema: inner, path: steps } of subschemas(part)) {
      const [keyword, key = ''] = steps
      const step = describeStep(keyword, key)
      // A single alternative is not a choice.
      const isChoice = (keyword === 'anyOf' || keyword === 'oneOf') && readList(part, keyword).length > 1
      const about = isChoice && isObject(inner) ? describeAlternative(inner) : ''
      open.push({
        part: inner,
        path: `${next.path}${step}`,
        location: `${next.location}${describeLocation(keyword, key)}`,
        within,
        isNamed: named.has(keyword),
        isApart: next.isApart || apart.has(keyword),
        isChoice,
        isInChoice: next.isInChoice || isChoice,
        isMember: keyword === 'allOf',
        alternative: `${next.alternative}${about}`,
      })
    }
  }
  return true
}

/** The texts of an alternative with values are about these. */
const describeAlternative = (part: UnknownObject) =>
  listValues(part).length > 0 ? '' : listTexts(part, false).join('\n')

interface VisitedPart {
  readonly part: UnknownObject
  readonly path: string
  /** See `describeLocation`. */
  readonly location: string
  /** It is declared by a name or a pattern. */
  readonly isNamed: boolean
  /** Our diff compares it only as a whole, so each of its texts is compared here. */
  readonly isApart: boolean
  /** It is one of several alternatives. */
  readonly isChoice: boolean
  /** It is a part of one of several alternatives, or one of them. */
  readonly isInChoice: boolean
  /** It is in an `allOf`, so it describes the same values as the part around it. */
  readonly isMember: boolean
  /** The texts of the alternatives that it is in. */
  readonly alternative: string
}

interface OpenPart extends Omit<VisitedPart, 'part'> {
  readonly part: unknown
  /** Names of the recursive definitions that it is in. */
  readonly within: readonly string[]
}

/** Our diff compares each of these only as a whole. */
const apart: ReadonlySet<string> = new Set([
  'patternProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'unevaluatedItems',
  'unevaluatedProperties',
])
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

/** Like `describeStep`, with the keywords of conditions and the positions in a list. */
function describeLocation(keyword: string, key: string | number): string {
  if (apart.has(keyword)) return `/~5${keyword}${key === '' ? '' : pointerStep(key)}`
  const step = describeStep(keyword, key)
  return manyParts.has(keyword) && key !== '' ? `${step}/~6${key}` : step
}

function readList(part: UnknownObject, keyword: string): readonly unknown[] {
  const list = own(part, keyword)
  return Array.isArray(list) ? list : []
}

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
