/** One side of a comparison with some of its changes made (an input) or taken back (an output). */

import { isObject } from '../../json/json.ts'
import { statedDialect } from '../../schema/dialect.ts'
import type { Dialect } from '../../schema/keywords.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { PathSteps, Update } from '../rules/schema-rule.ts'
import { type Inlined, toDocument } from './inline-refs.ts'
import type { Cause, PlacedEdit } from './walk-pair.ts'

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

  private inDirection({ before, after, forward, backward }: PlacedEdit) {
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
