/**
 * Finds the differences of two JSON values, and of the answers of two sources: key order is ignored, numbers are compared
 * by exact value.
 */

import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { pointerStep } from '../json/pointer.ts'
import type { EndedEvent } from '../tool/invocation.ts'
import { outcomes, toOutcome } from '../tool/outcome.ts'
import { toAnswerValue } from '../tool/result-value.ts'
import { type Mask, maskValue } from './masks.ts'

/** One location. `expected` or `actual` is absent if that side has no value there. Long JSON texts are cut. */
export interface Difference {
  /** JSON Pointer (RFC 6901); `''` is the whole value. */
  readonly path: string
  readonly expected?: string | undefined
  readonly actual?: string | undefined
}

export interface Differences {
  readonly differences: readonly Difference[]
  /** The number of locations beyond the limit. */
  readonly more: number
}

const maxTextLength = 300
/** Characters that a cut text shows before the first difference. */
const maxLengthBefore = 40

/** Returns at most `limit` locations in document order: the deepest ones that differ, not their parents. */
export function findDifferences(expected: Json, actual: Json, limit = 50): Differences {
  const differences: Difference[] = []
  let more = 0
  const add = (difference: Difference) => {
    if (differences.length < limit) differences.push(difference)
    else more += 1
  }
  // Both values were read within maxJsonDepth, so recursion is safe.
  const visit = (left: Json | undefined, right: Json | undefined, path: string): void => {
    if (jsonEquals(left, right)) return
    if (Array.isArray(left) && Array.isArray(right)) {
      const length = Math.max(left.length, right.length)
      for (let at = 0; at < length; at += 1) visit(left[at], right[at], `${path}${pointerStep(at)}`)
    } else if (left !== undefined && right !== undefined && isObject(left) && isObject(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
        visit(member(left, key), member(right, key), `${path}${pointerStep(key)}`)
    } else {
      const [expected, actual] = shortTexts(left, right)
      add({
        path,
        ...(expected === undefined ? {} : { expected }),
        ...(actual === undefined ? {} : { actual }),
      })
    }
  }
  visit(expected, actual, '')
  return { differences, more }
}

function member(object: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns both values as JSON text; long texts are cut around the first difference. */
function shortTexts(...sides: readonly [Json | undefined, Json | undefined]) {
  const texts = sides.map(side => (side === undefined ? undefined : writeJson(side, 0)))
  const [left = '', right = ''] = texts
  let same = 0
  if (Math.min(left.length, right.length) > maxTextLength)
    while (same < left.length && left[same] === right[same]) same += 1
  const start = Math.max(0, same - maxLengthBefore)
  return texts.map(text => {
    if (text === undefined || text.length <= maxTextLength) return text
    const end = start + maxTextLength
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`
  })
}

interface ComparedAnswers {
  /** `failed`: a side gave no answer. */
  readonly status: 'same' | 'different' | 'failed'
  /** One line. */
  readonly message: string
  /** `expected` is the first side's value, `actual` the second side's. */
  readonly differences: readonly Difference[]
  /** Differences that are not listed. */
  readonly more?: number
  /** Both answers, masked; absent if a side gave none. */
  readonly values?: readonly [Json, Json]
}

/** One side: its name in the report, and the ending of its call. */
interface AnsweringSide {
  readonly name: string
  readonly ending: EndedEvent
}

/**
 * A failure that the tool itself reports is an answer too, and is compared with its reason.
 *
 * @param hide is applied to every text of both answers before the comparison
 */
export function compareAnswers(
  sides: readonly [AnsweringSide, AnsweringSide],
  masks: readonly Mask[],
  hide: (text: string) => string = text => text,
): ComparedAnswers {
  const missing = sides.flatMap(({ name, ending }) =>
    ending.type === 'failure' && !outcomes[ending.reason].isAnswer
      ? [`${name} gave no answer: ${ending.reason}, ${hide(ending.message)}`]
      : [],
  )
  if (missing.length > 0) return { status: 'failed', message: missing.join('; '), differences: [] }
  const [a, b] = sides
  const values = [maskedAnswer(a, masks, hide), maskedAnswer(b, masks, hide)] as const
  const { differences, more } = findDifferences(values[0], values[1])
  const count = differences.length + more
  if (count > 0) {
    const message = `the answers differ at ${count} ${count === 1 ? 'location' : 'locations'}`
    return { status: 'different', message, differences, ...(more > 0 ? { more } : {}), values }
  }
  const outcome = toOutcome(a.ending)
  const message = outcome === 'ok' ? 'both answer the same' : `both fail in the same way: ${outcome}`
  return { status: 'same', message, differences: [], values }
}

const maskedAnswer = ({ ending }: AnsweringSide, masks: readonly Mask[], hide: (text: string) => string) =>
  maskValue(mapTexts(toAnswerValue(ending), hide), masks)

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), mapTexts(member, map)]))
}
