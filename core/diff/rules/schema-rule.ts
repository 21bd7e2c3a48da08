/** What a rule about schemas is: it looks at one place of two schemas and says what changed there. */

import { jsonEquals } from '../../json/equality.ts'
import { isObject, jsonText, own, type UnknownObject, withoutUndefined } from '../../json/json.ts'
import { shorten } from '../../text/wording.ts'

export type Steps = readonly (string | number)[]

/** What stands at one location afterwards, given what stands there now; `undefined` for nothing. */
export type Update = (current: unknown) => unknown

/**
 * How to make the change in the old schema, and how to take it back in the new one, below the node at hand. Edits of
 * several changes can be made one after the other in any order: each touches its own part of what it finds.
 */
export interface Edit {
  readonly at: Steps
  readonly forward: Update
  readonly backward: Update
}

export interface NodePair {
  readonly before: UnknownObject
  readonly after: UnknownObject
  readonly direction: 'input' | 'output'
}

export interface Finding {
  readonly rule: string
  readonly message: string
  /** Where in the value, below the node at hand. `*` stands for any item or any other property. */
  readonly steps?: Steps
  /** Empty where no validator reads what changed. */
  readonly edits: readonly Edit[]
  readonly before?: unknown
  readonly after?: unknown
  /** Written by a generator rather than by a person: folded with its like. */
  readonly noise?: boolean
  /** Words that a model reads, before and after. */
  readonly text?: { readonly before: string; readonly after: string }
  /** The message where the change is named as a part of another one; the message itself unless given. */
  readonly brief?: string
  /** The node as a whole has changed: no other rule looks at it, nor at what is below it. */
  readonly whole?: boolean
  /** The finding says all about the parts of the node: other rules look at the node, nothing below it is looked at. */
  readonly coversParts?: boolean
}

export interface SchemaRule {
  /** The findings it can make, each with a sentence about it. */
  readonly ids: Readonly<Record<string, string>>
  find(pair: NodePair): readonly Finding[]
}

/** The edit that sets what stands at a location. */
export function replacement(at: Steps, before: unknown, after: unknown): Edit {
  return { at, forward: () => after, backward: () => before }
}

/** The edit that takes one keyword over as it is. */
export function keywordEdit(pair: NodePair, keyword: string): Edit {
  return replacement([keyword], own(pair.before, keyword), own(pair.after, keyword))
}

/** The edit that takes over the whole node. */
export function wholeEdit(pair: NodePair): Edit {
  return replacement([], pair.before, pair.after)
}

export function changed(pair: NodePair, keyword: string): boolean {
  return !jsonEquals(own(pair.before, keyword), own(pair.after, keyword))
}

/** The keywords given, as far as a node has them: what a reader is shown. */
export function pick(node: UnknownObject, keywords: readonly string[]): UnknownObject | undefined {
  const found = keywords.filter(keyword => Object.hasOwn(node, keyword))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map(keyword => [keyword, node[keyword]] as const))
}

/** `before` and `after` where there are any. */
export function sides(before: unknown, after: unknown): { before?: unknown; after?: unknown } {
  return withoutUndefined({ before, after })
}

export function schemasOf(node: UnknownObject, keyword: string): UnknownObject {
  const value = own(node, keyword)
  return isObject(value) ? value : {}
}

export function namesOf(node: UnknownObject, keyword: string): readonly string[] {
  const value = own(node, keyword)
  return Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
}

/** A value in a sentence: JSON, cut at 60 characters. */
export function inWords(value: unknown): string {
  return shorten(value === undefined ? 'none' : (jsonText(value) ?? '…'), 60)
}

/** What came of a part between two schemas that are not the same there. */
export function howChanged(before: unknown, after: unknown): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

/** Such a change in a sentence: the one value, or `3 → 5`. */
export function changeInWords(before: unknown, after: unknown): string {
  if (before === undefined) return inWords(after)
  return after === undefined ? inWords(before) : `${inWords(before)} → ${inWords(after)}`
}

/** The texts among these fields that differ, each as part of a finding. */
export function changedTexts(fields: Iterable<string>, before: UnknownObject, after: UnknownObject) {
  return [...fields].flatMap(field => {
    const [valueBefore, valueAfter] = [textOf(own(before, field)), textOf(own(after, field))]
    if (valueBefore === valueAfter) return []
    const message = `${field} ${howChanged(valueBefore, valueAfter)}`
    const text = { before: valueBefore ?? '', after: valueAfter ?? '' }
    return [{ field, message, ...sides(valueBefore, valueAfter), text }]
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** A list in a sentence: the first five. */
export function listInWords(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map(inWords).join(', ')
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown
}
