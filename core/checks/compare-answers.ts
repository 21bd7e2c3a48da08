/** Compares what two sources answered to the same input, place by place. */

import { isObject, type Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import type { EndedEvent, FailureReason } from '../tool/invocation.ts'
import { type Difference, differencesOf } from './differences.ts'
import { type Mask, maskValue } from './masks.ts'
import { failureOf, resultOf } from './outcome.ts'

export interface ComparedAnswers {
  /** `failed`: a side gave no answer at all. */
  readonly status: 'same' | 'different' | 'failed'
  /** One line. */
  readonly message: string
  /** `expected` is what the first side has there, `actual` what the second has. */
  readonly differences: readonly Difference[]
  /** Differences that are not listed. */
  readonly more?: number
  /** Both answers, masked; absent where a side gave none. */
  readonly values?: readonly [Json, Json]
}

/** One side: its name for people, and the ending of its call. */
export interface AnsweringSide {
  readonly name: string
  readonly ending: EndedEvent
}

/** Endings that say nothing about what the tool answers. */
const noAnswer: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'timeout',
  'cancelled',
  'too-large',
  'spawn',
  'network',
  'sign-in-needed',
  'not-found',
])

/**
 * A failure that the tool itself reports is an answer as well, compared with its reason.
 *
 * @param hide is applied to every text of both answers before they are compared
 */
export function compareAnswers(
  sides: readonly [AnsweringSide, AnsweringSide],
  masks: readonly Mask[],
  hide: (text: string) => string = text => text,
): ComparedAnswers {
  const missing = sides.flatMap(({ name, ending }) =>
    ending.type === 'failure' && noAnswer.has(ending.reason)
      ? [`${name} gave no answer: ${ending.reason}, ${hide(ending.message)}`]
      : [],
  )
  if (missing.length > 0) return { status: 'failed', message: missing.join('; '), differences: [] }
  const [a, b] = sides
  const values = [maskedAnswer(a, masks, hide), maskedAnswer(b, masks, hide)] as const
  const { places, more } = differencesOf(values[0], values[1])
  const count = places.length + more
  if (count > 0) {
    const message = `the answers differ at ${count} ${count === 1 ? 'place' : 'places'}`
    return { status: 'different', message, differences: places, ...(more > 0 ? { more } : {}), values }
  }
  const failed = failureOf(a.ending)
  const message =
    failed === undefined ? 'both answer the same' : `both fail in the same way: ${failed.reason}`
  return { status: 'same', message, differences: [], values }
}

const maskedAnswer = ({ ending }: AnsweringSide, masks: readonly Mask[], hide: (text: string) => string) =>
  maskValue(mapTexts(answerOf(ending), hide), masks)

/** The answer as one value: JSON that is in a text is read, and a failure says that it is one. */
function answerOf(ending: EndedEvent): Json {
  const failed = failureOf(ending)
  const isEmpty = ending.structuredContent === undefined && ending.content.length === 0
  if (failed !== undefined && isEmpty) return { failure: failed.reason, message: failed.message }
  const result = readText(resultOf(ending))
  return failed === undefined ? result : { failure: failed.reason, result }
}

function readText(result: Json): Json {
  if (typeof result !== 'string') return result
  const reading = readJson(result)
  const isStructure = reading.ok && (Array.isArray(reading.value) || isObject(reading.value))
  return isStructure ? (reading.value ?? null) : result
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), mapTexts(member, map)]))
}
