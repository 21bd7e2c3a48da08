/**
 * Compares two schemas part by part, without a proof. Only a plain part is compared keyword by keyword: an object, a list or
 * a value that nothing else in the schema describes too. A change of it is plain if it means the same whatever the rest says:
 * a bound, a value of an `enum`, a property that is gone. Every other part must be as it was, or a person has to read it:
 * proofs about values say nothing about the texts of a part, or about parts that no value has.
 */
import { canonicalJson } from '../json/equality.ts'
import { isObject, jsonType, own, type UnknownObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { detectDialect } from '../schema/dialect.ts'
import { type Dialect, definitionKeywords, isSince, keywords, textKeywords } from '../schema/keywords.ts'
import { mapSubschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { addsSentence, isDialectUrl } from './added-words.ts'
import { allParts, hasTexts } from './schema-parts.ts'

/** A part whose change is not plain. */
export interface PartChange {
  /**
   * - `wider`: it takes data that it did not take
   * - `texts`: it has other texts, or what its texts are about may have changed
   * - `rewritten`: it has no texts, and what it accepts now depends on the rest of the schema
   */
  readonly type: 'wider' | 'texts' | 'rewritten'
  /** A JSON Pointer into the schema. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface PartComparison {
  /** Both are written alike, except for the order, empty parts, `const` for an `enum`, and the address of the draft. */
  readonly isSame: boolean
  readonly changes: readonly PartChange[]
}

/** @param side results may have any form as long as their texts are the approved ones */
export function compareParts(
  before: JsonSchema,
  after: JsonSchema,
  side: 'input' | 'output',
): PartComparison {
  if (isSameValue(before, after)) return { isSame: true, changes: [] }
  const changes: PartChange[] = []
  const walk = new PartWalk(side, changes)
  const [dialect, newDialect] = [detectDialect(before), detectDialect(after)]
  // The arguments of a call are an object, whatever a schema says.
  const [old, now] = [before, after].map(schema =>
    side === 'input' && isObject(schema) ? { type: 'object', ...schema } : schema,
  )
  // One draft has one name for a list of schemas.
  const [from, to] = [
    simplify(old, dialect !== newDialect && !isSince(dialect, '2020-12')),
    simplify(now, dialect !== newDialect && !isSince(newDialect, '2020-12')),
  ]
  // Texts may be about values or alternatives by their positions, and drafts read some keywords otherwise.
  const isWhole =
    hasOrder(before) ||
    hasOrder(after) ||
    dependsOnAll(before) ||
    dependsOnAll(after) ||
    dialect === 'draft-04' ||
    (dialect !== newDialect &&
      !(isAlike(from) && isAlike(to) && isKnown(before, dialect) && isKnown(after, newDialect)))
  if (isWhole) {
    walk.rewritten(before, after, '')
    return { isSame: false, changes }
  }
  walk.compare(from, to, '')
  return { isSame: isSameValue(from, to), changes }
}

/** An absent member is not null. */
const isSameValue = (a: unknown, b: unknown) =>
  (a === undefined) === (b === undefined) && canonicalJson(a) === canonicalJson(b)

/**
 * Whether a keyword anywhere may have a text for each value or alternative of a list, by its position: an unknown one, or
 * one that has a list or an object in place of a text. OpenAPI's `example` is a value.
 */
const hasOrder = (schema: unknown) =>
  allParts(schema).some(({ schema: part }) =>
    Object.entries(part).some(([name, value]) => {
      const { value: kind = 'text' } = keywords.get(name) ?? {}
      const isText = (kind === 'text' || kind === 'flag') && name !== 'example'
      const isLabels = name === 'examples' && Object.hasOwn(part, 'enum')
      return (isText || isLabels) && (Array.isArray(value) || isObject(value))
    }),
  )

/**
 * Whether a part says something about what other parts do not describe, or a reference may lead to anything but a
 * definition. Definitions must be as they were.
 */
const dependsOnAll = (schema: unknown) =>
  allParts(schema).some(({ schema: part }) =>
    Object.entries(part).some(
      ([name, value]) =>
        name.startsWith('unevaluated') || (references.has(name) && !definition.test(String(value))),
    ),
  )

const refers = (schema: unknown) =>
  allParts(schema).some(({ schema: part }) => Object.keys(part).some(name => references.has(name)))

const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])
const definition = /^#\/(?:\$defs|definitions)\/[^/]*$/

/** Whether all drafts since draft 6 read a simplified schema alike. */
const isAlike = (schema: unknown) =>
  allParts(schema).every(({ schema: part }) =>
    isPlain(Object.fromEntries(Object.entries(part).filter(([name]) => !alike.has(name)))),
  )

const alike: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'propertyNames'])

/** Whether validators of a draft read all keywords. */
const isKnown = (schema: unknown, dialect: Dialect) =>
  allParts(schema).every(({ schema: part }) =>
    Object.keys(part).every(name => isSince(dialect, keywords.get(name)?.since ?? 'draft-04')),
  )

/**
 * Returns the schema in one form of those that mean the same.
 *
 * @param isOldList a list of schemas is renamed: its name is `prefixItems` since 2020-12
 */
function simplify(schema: unknown, isOldList: boolean): unknown {
  if (!isObject(schema)) return schema === true ? {} : schema
  const part = mapSubschemas(schema, each => simplify(each, isOldList))
  const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    // Without a type, an empty limit says what the part is.
    const absent = emptyMeansAbsent.get(name)
    if (absent !== undefined && canonicalJson(value) === absent && Object.hasOwn(part, 'type')) return []
    if (name === '$schema' && isDialectUrl(value)) return []
    if (name === 'type' && Array.isArray(value) && value.length === 1) return [[name, value[0]]]
    if (name === 'const' && !Object.hasOwn(part, 'enum')) return [['enum', [value]]]
    if (name === 'items' && Array.isArray(value) && isOldList) return [['prefixItems', value]]
    return [[name, Array.isArray(value) && sorted.has(name) ? value.toSorted(byText) : value]]
  })
  return Object.fromEntries(entries)
}

const emptyMeansAbsent: ReadonlyMap<string, string> = new Map([
  ['properties', '{}'],
  ['additionalProperties', '{}'],
  ['items', '{}'],
  ['required', '[]'],
])
const sorted: ReadonlySet<string> = new Set(['required', 'type', 'enum', 'anyOf', 'oneOf', 'allOf'])

function byText(a: unknown, b: unknown): number {
  const [left, right] = [canonicalJson(a), canonicalJson(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const sizes: ReadonlySet<string> = new Set(['maxLength', 'maxItems'])
const minima: ReadonlySet<string> = new Set(['minLength', 'minItems'])
/** Without `minProperties` and `maxProperties`: they may require a property that is not in `required`. */
const bounds: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...[...minima, ...sizes],
])
type IsValid = (value: unknown) => boolean
const isText: IsValid = value => typeof value === 'string'
const isNumber: IsValid = value => typeof value === 'number'
const isNames: IsValid = value => Array.isArray(value) && value.every(isText)
const isPart: IsValid = value => isObject(value) || typeof value === 'boolean'
/** The validation keywords of a plain part, and whether a value of each is valid. */
const plainKeywords: ReadonlyMap<string, IsValid> = new Map<string, IsValid>([
  ['type', value => isText(value) || isNames(value)],
  ['enum', Array.isArray],
  ['const', () => true],
  ['properties', value => isObject(value) && Object.values(value).every(isPart)],
  ['required', isNames],
  ['additionalProperties', isPart],
  ['items', isPart],
  ['pattern', isText],
  ['format', isText],
  ['uniqueItems', value => typeof value === 'boolean'],
  ...[...bounds].map(name => [name, isNumber] as const),
])

/** Whether a part is described by nothing but known keywords for it, its values and its notes. */
const isPlain = (part: UnknownObject) =>
  Object.entries(part).every(([name, value]) => {
    const isValid = plainKeywords.get(name)
    if (isValid !== undefined) return isValid(value)
    if (name === '$schema') return isDialectUrl(value)
    const { role = 'annotation', value: kind } = keywords.get(name) ?? {}
    return role === 'text' || role === 'definitions' || (role === 'annotation' && kind !== 'schema')
  })

const listing: ReadonlySet<string> = new Set(['enum', 'pattern', 'required'])

interface KeywordChange {
  readonly path: string
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  /** The whole part. */
  readonly old: UnknownObject
  readonly now: UnknownObject
}

/** A limit of size that is gone, or much higher, lets much more data through; a much higher minimum asks for it. */
const maxFactor = 10

class PartWalk {
  private readonly side: 'input' | 'output'
  private readonly found: PartChange[]

  constructor(side: 'input' | 'output', found: PartChange[]) {
    this.side = side
    this.found = found
  }

  compare(old: unknown, now: unknown, path: string): void {
    if (isSameValue(old, now)) return
    if (!isObject(old) || !isObject(now) || !isPlain(old) || !isPlain(now)) {
      this.rewritten(old, now, path)
      return
    }
    const [type, newType] = [own(old, 'type'), own(now, 'type')]
    // Without a type, or with another one, the limits of a part may say what it is.
    if (newType === undefined || !isSameValue(type, newType)) {
      const isOther = newType === undefined || asList(newType).some(each => !isMember(asList(type), each))
      if (type !== undefined && isOther)
        this.wider({ path, name: 'type', before: type, after: newType, old, now })
      this.rewritten(old, now, path)
      return
    }
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const [before, after] = [own(old, name), own(now, name)]
      if (isSameValue(before, after)) continue
      const isUnread = isIgnored(name, old) || isIgnored(name, now)
      // A sentence that was approved in another place is about something else here.
      if (isUnread || (listing.has(name) && addsSentence({ [name]: before }, { [name]: after })))
        this.found.push({ type: 'texts', path: `${path}/${name}`, before, after })
      if (!isUnread) this.compareKeyword({ path, name, before, after, old, now })
    }
  }

  rewritten(before: unknown, after: unknown, path: string): void {
    const isText = [before, after].some(each => hasTexts(each) || addsSentence(undefined, each))
    const type = isText ? 'texts' : 'rewritten'
    // A result may have any form; its texts are read, also those that a reference leads to.
    const isRead = this.side === 'input' || isText || refers(before) || refers(after)
    if (isRead) this.found.push({ type, path, before, after })
  }

  private wider({ path, name, before, after }: KeywordChange): void {
    if (this.side === 'input') this.found.push({ type: 'wider', path: `${path}/${name}`, before, after })
  }

  private compareKeyword(change: KeywordChange): void {
    const { name, before, after, path } = change
    if (bounds.has(name)) {
      if (isWiderBound(name, before, after)) this.wider(change)
    } else if (name === 'required') {
      if (asList(after).some(each => !isMember(before, each))) this.wider(change)
    } else if (name === 'enum' && before !== undefined) {
      if (areOtherValues(before, after)) this.wider(change)
    } else if (name === 'properties') this.compareProperties(change)
    else if (name === 'additionalProperties' && before === undefined && after === false) return
    else if ((name === 'items' || name === 'additionalProperties') && isObject(before) && isObject(after))
      this.compare(before, after, `${path}/${name}`)
    else if (definitionKeywords.has(name) && isObject(before ?? {}) && isObject(after ?? {}))
      this.compareDefinitions(change)
    else {
      const isLimit = before !== undefined && (name === 'pattern' || name === 'format')
      if (isLimit || (name === 'additionalProperties' && before === false)) this.wider(change)
      this.rewritten({ [name]: before }, { [name]: after }, path)
    }
  }

  /** A model may find a definition by its name, whatever refers to it. */
  private compareDefinitions({ name: keyword, before, after, path }: KeywordChange): void {
    const [known, given] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
    for (const name of new Set([...Object.keys(known), ...Object.keys(given)])) {
      const [was, is] = [own(known, name), own(given, name)].map(part =>
        part === undefined ? undefined : { [keyword]: { [name]: part } },
      )
      if (!isSameValue(was, is)) this.rewritten(was, is, `${path}/${keyword}${pointerStep(name)}`)
    }
  }

  private compareProperties(change: KeywordChange): void {
    const { before, after, path } = change
    const [known, given] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
    for (const name of new Set([...Object.keys(known), ...Object.keys(given)])) {
      const [was, is] = [own(known, name), own(given, name)]
      const step = `properties${pointerStep(name)}`
      if (was !== undefined && is !== undefined) this.compare(was, is, `${path}/${step}`)
      else if (was === undefined && this.side === 'output')
        this.rewritten(undefined, { properties: { [name]: is } }, `${path}/${step}`)
      else if (was === undefined || this.isWiderWithout(name, was, change))
        this.wider({ ...change, name: step, before: was, after: is })
    }
  }

  /**
   * Whether a model may send a property that is no longer declared, with values that were not accepted before. A closed object
   * refuses nothing: a call with invalid input is made.
   */
  private isWiderWithout(name: string, was: unknown, { now, path }: KeywordChange): boolean {
    const isListed =
      isMember(own(now, 'required'), name) || (own(now, 'additionalProperties') ?? false) !== false
    // An object in the input may lose its last property; then it accepts anything.
    return isListed || path !== '' || !isAnyText(was)
  }
}

/** Whether a part accepts every text, and says nothing else. */
const isAnyText = (part: unknown) =>
  isObject(part) &&
  part.type === 'string' &&
  Object.keys(part).every(name => name === 'type' || name === 'default' || textKeywords.has(name))

const asList = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** A model that reads an empty list sends any text, and so it may for values of another type than the approved ones. */
function areOtherValues(before: unknown, after: unknown): boolean {
  const types = new Set(asList(before).map(jsonType))
  const values = asList(after)
  return values.length === 0 || values.some(value => !types.has(jsonType(value)))
}

const isMember = (list: unknown, value: unknown) =>
  Array.isArray(list) &&
  (typeof value === 'string'
    ? list.includes(value)
    : list.some(each => canonicalJson(each) === canonicalJson(value)))

function isWiderBound(name: string, before: unknown, after: unknown): boolean {
  const [old, now] = [before, after].map(value => (typeof value === 'number' ? value : undefined))
  if (sizes.has(name)) return old !== undefined && (now === undefined || now > old * maxFactor)
  return minima.has(name) && (now ?? 0) > Math.max(1, old ?? 0) * maxFactor
}

/** Whether validators ignore a keyword because of the types of its part, and a model reads it as a limit. */
function isIgnored(name: string, part: UnknownObject): boolean {
  const type = keywords.get(name)?.type
  if (type === undefined || !Object.hasOwn(part, name) || !Object.hasOwn(part, 'type')) return false
  return ![own(part, 'type')].flat().some(each => each === type || (type === 'number' && each === 'integer'))
}
