/**
 * Compares two schemas part by part, without a proof. A change counts as plain only if it means the same whatever the
 * rest of the schema says: a bound, a value of an `enum`, a property that is gone. All else asks for more data, or is a part
 * that was rewritten, which a person has to read: proofs about values say nothing about the texts of a part, about parts that
 * no value has, or about alternatives that exclude each other.
 */
import { type Inlined, ignoredSiblings, inlineRefs } from '../diff/schema/inline-refs.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { type Dialect, isSince, keywords } from '../schema/keywords.ts'
import { allSchemas, subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { hasTexts, listAllTexts } from './schema-parts.ts'
import {
  areDisjoint,
  hasOrder,
  isMember,
  listOtherDefinitions,
  type SchemaForm,
  simplify,
  textual,
} from './simplify-schema.ts'

/** A part whose change is not plain. */
export interface PartChange {
  /**
   * - `wider`: it takes data that it did not take
   * - `texts`: it has other texts, or what its texts are about may have changed
   * - `rewritten`: it has no texts, and what it accepts now depends on the rest of the schema
   */
  readonly type: 'wider' | 'texts' | 'rewritten'
  /** A JSON Pointer into the schema, with its references replaced by what they refer to. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface PartComparison {
  /** Both are written alike, except for order and what generators write differently. */
  readonly isSame: boolean
  readonly changes: readonly PartChange[]
}

interface SchemaUse {
  /** Results may have any form as long as their texts are the approved ones. */
  readonly side: 'input' | 'output'
  /** The texts around the schemas of the tool. */
  readonly text: string
}

export function compareParts(before: JsonSchema, after: JsonSchema, use: SchemaUse): PartComparison {
  const changes: PartChange[] = []
  if (canonicalJson(before) === canonicalJson(after)) return { isSame: true, changes }
  const [old, now] = [inlineRefs(before, '', true), inlineRefs(after, '', true)]
  const definitions = Object.values(now?.definitions ?? {})
  const text = [use.text, ...[now?.root, ...definitions].flatMap(listAllTexts)]
    .join('\n')
    .replaceAll(escapes, ' ')
    .toLowerCase()
  const isOrdered = hasOrder(old?.root) || hasOrder(now?.root)
  const walk = new PartWalk(
    { side: use.side, text },
    { dialect: now?.dialect ?? '2020-12', isOrdered },
    changes,
  )
  // Some have a meaning only together: a definition that contains itself, a keyword that another draft reads otherwise,
  // one about what no other part describes, and those next to a reference that validators ignore.
  const isWhole =
    old === undefined ||
    now === undefined ||
    dependsOnAll(old.root) ||
    dependsOnAll(now.root) ||
    canonicalJson(old.definitions) !== canonicalJson(now.definitions) ||
    (old.dialect !== now.dialect && !(isAlikeIn(old, now.dialect) && isAlikeIn(now, old.dialect)))
  if (isWhole) {
    walk.rewritten(before, after, '')
    return { isSame: false, changes }
  }
  const [from, to] = [old, now].map(({ root, dialect }) => simplify(root, { dialect, isOrdered }))
  walk.compare(from, to, { path: '', isShared: false })
  const [others, othersNow] = [listOtherDefinitions(before, old), listOtherDefinitions(after, now)]
  const hasSameOthers = canonicalJson(others) === canonicalJson(othersNow)
  if (!hasSameOthers) walk.rewritten(others, othersNow, '')
  return { isSame: hasSameOthers && canonicalJson(from) === canonicalJson(to), changes }
}

/** Notes are compared as JSON: the letter of an escape belongs to no word. */
const escapes = /\\(?:u[0-9a-f]{4}|[bfnrt])/g

const dependsOnAll = (root: unknown) =>
  allSchemas(root).some(
    ({ schema: part }) =>
      Object.hasOwn(part, 'unevaluatedProperties') ||
      Object.hasOwn(part, 'unevaluatedItems') ||
      Object.hasOwn(part, ignoredSiblings),
  )

/** One draft reads these otherwise than another one. */
const changedKeywords: ReadonlySet<string> = new Set([
  ...['$ref', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'],
  ...['dependencies', 'contains'],
])

/** Whether the keywords of a schema mean the same in another draft; `simplify` writes lists of items in one form. */
function isAlikeIn({ root, dialect }: Inlined, other: Dialect): boolean {
  return allSchemas(root).every(({ schema: part }) =>
    Object.entries(part).every(([name, value]) => {
      const since = keywords.get(name)?.since ?? 'draft-04'
      const isKnown = isSince(dialect, since) && (name === 'prefixItems' || isSince(other, since))
      const isFlag = name.startsWith('exclusive') && typeof value === 'boolean'
      return isKnown && !isFlag && !changedKeywords.has(name)
    }),
  )
}

/** An absent member is not null. */
const isSameValue = (a: unknown, b: unknown) =>
  (a === undefined) === (b === undefined) && canonicalJson(a) === canonicalJson(b)

interface PartPosition {
  readonly path: string
  /** Another part may declare the properties of the same object, or those of one in it. */
  readonly isShared: boolean
}

interface KeywordChange extends PartPosition {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  readonly old: UnknownObject
  readonly now: UnknownObject
}

/** Parts of these describe the same value as the part that they are in. */
const combining: ReadonlySet<string> = new Set(['allOf', 'anyOf'])
const others: readonly string[] = [
  ...[
    'patternProperties',
    'propertyNames',
    'dependentSchemas',
    'dependentRequired',
    'dependencies',
    'contains',
  ],
  ...['oneOf', 'not', 'if', 'then', 'else', 'allOf', 'anyOf'],
]
const sizes: ReadonlySet<string> = new Set(['maxLength', 'maxItems', 'maxProperties'])
const minima: ReadonlySet<string> = new Set(['minLength', 'minItems'])
const bounds: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minProperties', ...minima, ...sizes],
])

/** A limit of size that is gone, or much higher, lets much more data through; a much higher minimum asks for it. */
const maxFactor = 10
/** Of the texts of a tool, once for each property that is gone. Reading them takes a second at most. */
const maxReadCharacters = 5_000_000

class PartWalk {
  private readonly side: 'input' | 'output'
  private readonly text: string
  private readonly dialect: Dialect
  private readonly isOrdered: boolean
  private readonly found: PartChange[]
  private readCharacters = 0

  constructor({ side, text }: SchemaUse, { dialect, isOrdered }: SchemaForm, found: PartChange[]) {
    this.side = side
    this.text = text
    this.dialect = dialect
    this.isOrdered = isOrdered
    this.found = found
  }

  compare(old: unknown, now: unknown, position: PartPosition): void {
    if (isSameValue(old, now)) return
    if (!isObject(old) || !isObject(now)) {
      this.rewritten(old, now, position.path)
      return
    }
    const isShared =
      position.isShared || others.some(name => Object.hasOwn(old, name) || Object.hasOwn(now, name))
    const [from, to] = [withChoice(old, now), withChoice(now, old)]
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const [before, after] = [own(from, name), own(to, name)]
      if (!isSameValue(before, after))
        this.compareKeyword({ path: position.path, isShared, name, before, after, old: from, now: to })
    }
  }

  rewritten(before: unknown, after: unknown, path: string): void {
    // Texts around the part may be about its values or alternatives by their positions.
    const type = this.isOrdered || hasTexts(before) || hasTexts(after) ? 'texts' : 'rewritten'
    // A result may have any form; its texts are read.
    if (this.side === 'input' || type === 'texts') this.found.push({ type, path, before, after })
  }

  private wider({ path, name, before, after }: KeywordChange): void {
    if (this.side === 'input') this.found.push({ type: 'wider', path: `${path}/${name}`, before, after })
  }

  private compareKeyword(change: KeywordChange): void {
    const { name, before, after, path, isShared } = change
    const isWanted = (each: (value: unknown) => boolean) => each(before) && each(after)
    const isAbsentOr = (type: string) => isWanted(value => value === undefined || typeof value === type)
    if (isIgnored(name, change.old, this.dialect) || isIgnored(name, change.now, this.dialect)) {
      this.found.push({ type: 'texts', path: `${path}/${name}`, before, after })
      return
    }
    if (bounds.has(name) && isAbsentOr('number')) {
      if (isWiderBound(name, before, after)) this.wider(change)
      return
    }
    if (name === 'format' && after === undefined) this.wider(change)
    if (name === 'uniqueItems' && isAbsentOr('boolean')) return
    if (name === 'type' || name === 'enum' || name === 'pattern' || name === 'required')
      this.compareValues(change)
    else if (name === 'properties' && isWanted(value => value === undefined || isObject(value)))
      this.compareProperties(change)
    else if (name === 'additionalProperties' && before === undefined && after === false) return
    else if (name === 'additionalProperties' && before === false && !hasTexts(after)) this.wider(change)
    else if ((name === 'items' || name === 'additionalProperties') && isWanted(isObject))
      this.compare(before, after, { path: `${path}/${name}`, isShared })
    else if (combining.has(name) && isWanted(Array.isArray)) this.compareAlternatives(change)
    else if (name === 'prefixItems' && isWanted(Array.isArray) && countItems(before) === countItems(after))
      for (const [at, each] of (before as unknown[]).entries())
        this.compare(each, (after as unknown[])[at], { path: `${path}/${name}/${at}`, isShared })
    else this.rewritten({ [name]: before }, { [name]: after }, path)
  }

  private compareValues(change: KeywordChange): void {
    const { name, before, after, old, now, path } = change
    if (this.isOrdered && name !== 'pattern') {
      this.rewritten(old, now, path)
      return
    }
    const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
    switch (name) {
      case 'type': {
        const isAccepted = (type: unknown) =>
          type === 'null' ||
          isMember(list(before), type) ||
          (type === 'integer' && isMember(list(before), 'number'))
        if (after === undefined || (before !== undefined && !list(after).every(isAccepted)))
          this.wider(change)
        else if (before !== undefined && asksForParts(now)) this.wider(change)
        return
      }
      case 'enum': {
        // A model that reads an empty list sends any text.
        const isGone = !Array.isArray(after) || after.length === 0
        if (isGone && hasParts(now)) this.rewritten(old, now, path)
        else if (isGone) this.wider(change)
        return
      }
      case 'pattern':
        if (before !== undefined) this.wider(change)
        return
      default:
        if (!list(after ?? []).every(each => isMember(before, each))) this.wider(change)
    }
  }

  private compareProperties(change: KeywordChange): void {
    const { before, after, now, path, isShared } = change
    const [known, given] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
    const isOpen = isObject(own(now, 'additionalProperties'))
    for (const name of new Set([...Object.keys(known), ...Object.keys(given)])) {
      const [was, is] = [own(known, name), own(given, name)]
      const at = `${path}/properties${pointerStep(name)}`
      if (is === undefined && this.isOrdered) this.rewritten(was, is, at)
      else if (is === undefined) {
        const isNamed = () => own(now, 'additionalProperties') !== false && this.isInText(name)
        if (
          this.side === 'input' &&
          (isShared || isOpen || isMember(own(now, 'required'), name) || isNamed())
        )
          this.wider({ ...change, name: `properties${pointerStep(name)}`, before: was, after: is })
      } else if (was === undefined) {
        if (this.side === 'output') this.rewritten(was, is, at)
        else this.wider({ ...change, name: `properties${pointerStep(name)}`, before: was, after: is })
      } else this.compare(was, is, { path: at, isShared })
    }
  }

  /** A name counts as one of the text once too much was read. */
  private isInText(name: string): boolean {
    this.readCharacters += this.text.length
    return this.readCharacters > maxReadCharacters || hasWord(this.text, name)
  }

  /** Two alternatives that both changed may have exchanged what their texts are about. */
  private compareAlternatives({ name, before, after, path }: KeywordChange): void {
    const [known, given] = [before, after].map(list => list as readonly unknown[])
    const left = leaveOut(known ?? [], given ?? [])
    const right = leaveOut(given ?? [], known ?? [])
    // Values of an alternative that is gone may fit another one, so its texts and limits are gone too.
    const isApart = (each: unknown) =>
      !(hasTexts(each) || (isObject(each) && Object.hasOwn(each, 'properties'))) ||
      (given ?? []).every(other => areDisjoint(each, other))
    const isLess =
      right.length === 0 &&
      (given ?? []).length > 0 &&
      left.every(isApart) &&
      (given ?? []).every(each => isObject(each) && !asksForParts(each))
    if (name === 'anyOf' && isLess && !this.isOrdered) return
    if (left.length === 1 && right.length === 1)
      this.compare(left[0], right[0], { path: `${path}/${name}`, isShared: true })
    else this.rewritten({ [name]: before }, { [name]: after }, path)
  }
}

function isWiderBound(name: string, before: unknown, after: unknown): boolean {
  const [old, now] = [before, after].map(value => (typeof value === 'number' ? value : undefined))
  if (sizes.has(name)) return old !== undefined && (now === undefined || now > old * maxFactor)
  // It may say that no property is optional.
  if (name === 'minProperties') return (now ?? 0) > (old ?? 0)
  return minima.has(name) && (now ?? 0) > Math.max(1, old ?? 0) * maxFactor
}

/** Whether validators ignore a keyword here, and a model reads it as a limit. */
function isIgnored(name: string, part: UnknownObject, dialect: Dialect): boolean {
  if (!Object.hasOwn(part, name)) return false
  const { since = 'draft-04', type } = keywords.get(name) ?? {}
  const needed = partners.get(name)
  const types = Object.hasOwn(part, 'type') ? [own(part, 'type')].flat() : []
  const fits =
    type === undefined ||
    types.length === 0 ||
    types.some(each => each === type || (type === 'number' && each === 'integer'))
  return !isSince(dialect, since) || !fits || (needed !== undefined && !Object.hasOwn(part, needed))
}

/** Keywords that only have a meaning next to another one. */
const partners: ReadonlyMap<string, string> = new Map([
  ['then', 'if'],
  ['else', 'if'],
  ['additionalItems', 'items'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
])

/**
 * Uses no expression: a name may be too long for one.
 *
 * @param text in small letters
 */
function hasWord(text: string, name: string): boolean {
  const word = name.toLowerCase()
  if (word === '') return true
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!wordCharacter.test(text[at - 1] ?? '') && !wordCharacter.test(text[at + word.length] ?? ''))
      return true
  return false
}

const wordCharacter = /[\p{L}\p{N}_]/u

/** Returns a part as a choice of one alternative if the other one is a choice. */
function withChoice(part: UnknownObject, other: UnknownObject): UnknownObject {
  if (!Object.hasOwn(other, 'anyOf') || Object.hasOwn(part, 'anyOf')) return part
  const { anyOf: _, ...outer } = other
  // Such as `properties` and `additionalProperties`, some keywords have a meaning together.
  if (!Object.keys(outer).every(name => textual.has(name))) return part
  const isOuter = (name: string) => canonicalJson(own(part, name)) === canonicalJson(own(outer, name))
  const entries = Object.entries(part)
  return {
    ...Object.fromEntries(entries.filter(([name]) => isOuter(name))),
    anyOf: [Object.fromEntries(entries.filter(([name]) => !isOuter(name)))],
  }
}

/** Whether a value may have to have parts, which could be left out with another type or alternative. */
const asksForParts = (part: UnknownObject) =>
  ['required', 'minItems', 'minProperties', ...others].some(name => Object.hasOwn(part, name))

const hasParts = (part: UnknownObject) => subschemas(part).length > 0
const countItems = (list: unknown) => (Array.isArray(list) ? list.length : 0)

/** Returns what is in a list and not in another one, as often as that. */
function leaveOut(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const open = others.map(canonicalJson)
  return list.filter(each => {
    const at = open.indexOf(canonicalJson(each))
    if (at >= 0) open.splice(at, 1)
    return at < 0
  })
}
