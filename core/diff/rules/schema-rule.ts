/** The shape of a rule about schemas: it compares one location of two schemas and returns what changed there. */

import { jsonEquals } from '../../json/equality.ts'
import { isObject, jsonText, own, type UnknownObject, withoutUndefined } from '../../json/json.ts'
import { shorten } from '../../text/wording.ts'

export type PathSteps = readonly (string | number)[]

/** Returns the new value of a location, given the current one; `undefined` means absent. */
export type Update = (current: unknown) => unknown

/**
 * Makes the change in the old schema, or takes it back in the new one, below the current node. Edits of several changes
 * can be made in any order: each touches only its own part.
 */
export interface Edit {
  readonly at: PathSteps
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
  /** The location in the value, below the current node. `*` means any item or any other property. */
  readonly steps?: PathSteps
  /** Empty if validators ignore what changed. */
  readonly edits: readonly Edit[]
  readonly before?: unknown
  readonly after?: unknown
  /** Written by a generator rather than by a person: folded with equal findings. */
  readonly noise?: boolean
  /** Texts that a model reads, before and after. */
  readonly text?: { readonly before: string; readonly after: string }
  /** The message if the change is named as a part of another one; `message` by default. */
  readonly brief?: string
  /** The node changed as a whole: other rules skip it and everything below it. */
  readonly whole?: boolean
  /** The finding covers the parts of the node: other rules check the node, but nothing below it. */
  readonly coversParts?: boolean
}

export interface SchemaRule {
  /** The rule's findings by id, each with its description. */
  readonly ids: Readonly<Record<string, string>>
  find(pair: NodePair): readonly Finding[]
}

/** Returns the edit that sets the value at a location. */
export function replacement(at: PathSteps, before: unknown, after: unknown): Edit {
  return { at, forward: () => after, backward: () => before }
}

export function keywordEdit(pair: NodePair, keyword: string): Edit {
  return replacement([keyword], own(pair.before, keyword), own(pair.after, keyword))
}

export function wholeEdit(pair: NodePair): Edit {
  return replacement([], pair.before, pair.after)
}

export function changed(pair: NodePair, keyword: string): boolean {
  return !jsonEquals(own(pair.before, keyword), own(pair.after, keyword))
}

/** Returns the given keywords that the node has, to show them. */
export function pick(node: UnknownObject, keywords: readonly string[]): UnknownObject | undefined {
  const found = keywords.filter(keyword => Object.hasOwn(node, keyword))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map(keyword => [keyword, node[keyword]] as const))
}

/** Returns `before` and `after` without undefined members. */
export function sides(before: unknown, after: unknown): { before?: unknown; after?: unknown } {
  return withoutUndefined({ before, after })
}

export function readSchemaMap(node: UnknownObject, keyword: string): UnknownObject {
  const value = own(node, keyword)
  return isObject(value) ? value : {}
}

export function readNameList(node: UnknownObject, keyword: string): readonly string[] {
  const value = own(node, keyword)
  return Array.isArray(value) ? value.filter(name => typeof name === 'string') : []
}

/** Returns a value for a sentence: JSON, cut at 60 characters. */
export function inWords(value: unknown): string {
  return shorten(value === undefined ? 'none' : (jsonText(value) ?? '…'), 60)
}

/** Returns the kind of change of a part that differs between two schemas. */
export function howChanged(before: unknown, after: unknown): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

/** Returns such a change for a sentence: one value, or `3 → 5`. */
export function changeInWords(before: unknown, after: unknown): string {
  if (before === undefined) return inWords(after)
  return after === undefined ? inWords(before) : `${inWords(before)} → ${inWords(after)}`
}

/** Returns the given fields whose texts differ, each as part of a finding. */
export function changedTexts(fields: Iterable<string>, before: UnknownObject, after: UnknownObject) {
  return [...fields].flatMap(field => {
    const [valueBefore, valueAfter] = [readTextValue(own(before, field)), readTextValue(own(after, field))]
    if (valueBefore === valueAfter) return []
    const message = `${field} ${howChanged(valueBefore, valueAfter)}`
    const text = { before: valueBefore ?? '', after: valueAfter ?? '' }
    return [{ field, message, ...sides(valueBefore, valueAfter), text }]
  })
}

const readTextValue = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns a list for a sentence: its first five values. */
export function listInWords(values: readonly unknown[]): string {
  const text = values.slice(0, 5).map(inWords).join(', ')
  return values.length > 5 ? `${text} and ${values.length - 5} more` : text
}
