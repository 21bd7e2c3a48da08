/** Finds a smaller input that still fails in the same way. */
import { canonicalJson } from '../json/equality.ts'
import { isJsonNumber, isObject, type Json, numberText } from '../json/json.ts'
import { withPart } from '../json/pointer.ts'

export interface ShrinkOptions {
  /** Maximum calls of `failsAlike`; 60 by default. */
  readonly maxTries?: number
  /**
   * Whether an input may be tried at all, such as one that still breaks its constraint and no other. Costs no try. All
   * inputs by default.
   */
  readonly isCandidate?: (input: Json) => boolean
  /** Ends the search before the next try: an AbortSignal, for example. */
  readonly signal?: { readonly aborted: boolean }
}

export interface ShrunkInput {
  readonly input: Json
  /** How often `failsAlike` was called. */
  readonly tries: number
  /** Whether no smaller candidate is left; false if the tries or the time ended first. */
  readonly isSmallest: boolean
}

/**
 * Shrinks an input: leaves out members and items, then makes texts, numbers and lists smaller, as long as the input
 * fails alike. Every input that is tried is smaller than the best one so far.
 *
 * @param failsAlike calls the tool and returns whether the cause (`Assessment.cause`) is the same. If it throws, so
 * does this function.
 */
export async function shrinkInput(
  input: Json,
  failsAlike: (input: Json) => Promise<boolean>,
  { maxTries = 60, isCandidate = () => true, signal }: ShrinkOptions = {},
): Promise<ShrunkInput> {
  const seen = new Set([canonicalJson(input)])
  let best = input
  let tries = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const candidate of smallerValues(best)) {
      const text = canonicalJson(candidate)
      if (seen.has(text)) continue
      seen.add(text)
      if (!isCandidate(candidate)) continue
      if (tries >= maxTries || signal?.aborted) return { input: best, tries, isSmallest: false }
      tries += 1
      if (!(await failsAlike(candidate))) continue
      best = candidate
      isSmaller = true
      break
    }
  }
  return { input: best, tries, isSmallest: true }
}

/** Deeper parts of a value stay as they are. */
const maxDepth = 20

/** Yields values that are smaller than the given one, the smallest first. */
function* smallerValues(value: Json, depth = 0): Generator<Json> {
  if (depth > maxDepth) return
  if (typeof value === 'string') yield* smallerTexts(value)
  else if (isJsonNumber(value)) yield* smallerNumbers(value)
  else if (Array.isArray(value)) yield* smallerLists(value, depth)
  else if (isObject(value)) {
    const names = Object.keys(value)
    if (names.length > 1) yield {}
    for (const name of names) yield withoutMember(value, name)
    for (const name of names)
      for (const smaller of smallerValues(value[name] as Json, depth + 1))
        yield withPart(value, [name], smaller) as Json
  }
}

/** Returns a copy of an object without one member. */
export function withoutMember(object: { readonly [key: string]: Json }, name: string): Json {
  // Several times as fast as Object.fromEntries for an object with thousands of members.
  const copy = { ...object }
  delete copy[name]
  return copy
}

function* smallerTexts(text: string): Generator<Json> {
  const characters = [...text]
  if (characters.length === 0) return
  yield ''
  for (let length = Math.floor(characters.length / 2); length > 0; length = Math.floor(length / 2)) {
    yield characters.slice(0, length).join('')
    yield characters.slice(-length).join('')
  }
  yield characters.slice(0, -1).join('')
  if (characters.some(character => character !== 'a')) yield 'a'.repeat(characters.length)
}

function* smallerNumbers(value: Exclude<Json, string | boolean | null | readonly Json[]>): Generator<Json> {
  const text = isJsonNumber(value) ? numberText(value) : '0'
  const number = Number(text)
  for (const simpler of [0, 1, -1, Math.trunc(number), Math.trunc(number / 2)])
    if (Math.abs(simpler) < Math.abs(number) && Number.isSafeInteger(simpler)) yield simpler
}

function* smallerLists(list: readonly Json[], depth: number): Generator<Json> {
  if (list.length === 0) return
  yield []
  for (let size = Math.floor(list.length / 2); size > 0; size = Math.floor(size / 2)) {
    yield list.slice(0, size)
    yield list.slice(-size)
  }
  for (const index of list.keys()) yield list.toSpliced(index, 1)
  for (const [index, item] of list.entries())
    for (const smaller of smallerValues(item, depth + 1)) yield list.with(index, smaller)
}
