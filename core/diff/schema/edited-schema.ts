/** One side of a comparison with some of its changes made (an input) or taken back (an output). */

import { isObject } from '../../json/json.ts'
import { detectDialect, stateDialect, statedDialect } from '../../schema/dialect.ts'
import { type Dialect, definitionKeywords, textKeywords, validationKeywords } from '../../schema/keywords.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { type PathSteps, readNameList, type Update } from '../rules/schema-rule.ts'
import { type Inlined, toDocument } from './inline-refs.ts'
import type { Cause, LocatedEdit } from './walk-pair.ts'

export class EditedSchema {
  private readonly base: Inlined
  private readonly root: unknown
  private readonly definitions: readonly Inlined['definitions'][]
  private readonly isInput: boolean

  /** @param pair the two sides, before and after, with their references inlined, in one dialect */
  constructor(pair: readonly [Inlined, Inlined], direction: 'input' | 'output') {
    const [before, after] = pair
    this.isInput = direction === 'input'
    this.base = this.isInput ? before : after
    this.root = withoutOtherDialect(this.base.root, this.base.dialect)
    this.definitions = [before.definitions, after.definitions]
  }

  /**
   * Returns the inner side, edited: the changes break what it accepts without them and refuses with them. The order of
   * the changes does not matter.
   */
  with(causes: readonly Pick<Cause, 'edits'>[]): JsonSchema {
    const { dialect } = this.base
    const edits = causes.flatMap(cause => cause.edits.map(edit => this.inDirection(edit)))
    // Deeper locations first, because an edit of a whole node replaces what is inside it.
    edits.sort((a, b) => b.at.length - a.at.length)
    let document: unknown = toDocument(this.root, dialect, ...this.definitions)
    for (const { at, update } of edits) document = updateAt(document, at, update)
    // An edit of the root itself removes the definitions.
    const isComplete = !isObject(document) || Object.hasOwn(document, '$defs')
    const root = withoutOtherDialect(document, dialect)
    return isComplete ? toDocument(root, dialect) : toDocument(root, dialect, ...this.definitions)
  }

  private inDirection({ before, after, forward, backward }: LocatedEdit) {
    return this.isInput ? { at: before, update: forward } : { at: after, update: backward }
  }
}

/** Removes the `$schema` of another dialect: sides of two dialects are compared in the newer one. */
function withoutOtherDialect(root: unknown, dialect: Dialect): unknown {
  const stated = statedDialect(root)
  if (!isObject(root) || stated === undefined || stated === dialect) return root
  const { $schema: _, ...rest } = root
  return rest
}

/** Returns the document with another value at `at`; `undefined` removes it. Adds missing objects on the way. */
function updateAt(document: unknown, at: PathSteps, update: Update): unknown {
  const [step, ...rest] = at
  if (step === undefined) return update(document)
  if (Array.isArray(document)) {
    const index = Number(step)
    return index < document.length ? document.with(index, updateAt(document[index], rest, update)) : document
  }
  const node = isObject(document) ? document : document === false ? { not: {} } : {}
  const name = String(step)
  const inner = Object.hasOwn(node, name) ? node[name] : undefined
  const changed = updateAt(inner, rest, update)
  const others = Object.entries(node).filter(([key]) => key !== name)
  // An empty map that was added only to remove something from it is dropped.
  const isNothing =
    changed === undefined || (inner === undefined && isObject(changed) && isEmpty(changed) && rest.length > 0)
  return Object.fromEntries(isNothing ? others : [...others, [name, changed]])
}

const isEmpty = (object: object) => Object.keys(object).length === 0

/** With fewer properties, pruning is not worth its cost. */
const fewest = 4

const simple: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])

/**
 * Returns the names of the root's properties that the edits touch; undefined if they touch something else. An edited
 * `additionalProperties` of the root touches no listed property: the answer is the same for senders of declared fields.
 */
export function touchedProperties(edits: readonly LocatedEdit[]): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const { before, after } of edits) {
    if (before.length === 1 && (before[0] === 'required' || before[0] === 'additionalProperties')) continue
    if (before[0] !== 'properties' || before.length < 2 || before[1] !== after[1]) return undefined
    names.add(String(before[1]))
  }
  return names
}

/**
 * Returns the documents without properties that are neither touched nor required in any of them. If two object schemas
 * differ only in some properties, a counterexample remains one without the optional properties that both describe alike.
 */
export function pruned(
  documents: readonly JsonSchema[],
  touched: ReadonlySet<string>,
): readonly JsonSchema[] | undefined {
  if (!documents.every(isPlainObject)) return undefined
  const keep = new Set(touched)
  for (const document of documents)
    if (isObject(document)) for (const name of readNameList(document, 'required')) keep.add(name)
  const smaller = documents.map(document => without(document, keep))
  return smaller.every((document, at) => document === documents[at]) ? undefined : smaller
}

/** Allows only properties: counts, patterns and conditions could depend on a removed property. */
function isPlainObject(document: JsonSchema): boolean {
  if (!isObject(document) || document.type !== 'object' || !isObject(document.properties)) return false
  return Object.keys(document).every(
    keyword =>
      simple.has(keyword) ||
      definitionKeywords.has(keyword) ||
      textKeywords.has(keyword) ||
      (!validationKeywords.has(keyword) && !keyword.startsWith('$dynamic')),
  )
}

function without(document: JsonSchema, keep: ReadonlySet<string>): JsonSchema {
  if (!isObject(document) || !isObject(document.properties)) return document
  const entries = Object.entries(document.properties)
  const remaining = entries.filter(([name]) => keep.has(name))
  if (entries.length - remaining.length < fewest) return document
  return { ...stateDialect(document, detectDialect(document)), properties: Object.fromEntries(remaining) }
}
