/** Compares the answers of two sources to the same input, location by location. */

import { isObject, type Json } from '../json/json.ts'
import type { EndedEvent } from '../tool/invocation.ts'
import { outcomes, toOutcome } from '../tool/outcome.ts'
import { toAnswerValue } from '../tool/result-value.ts'
import { type Difference, findDifferences } from './differences.ts'
import { type Mask, maskValue } from './masks.ts'

export interface ComparedAnswers {
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
export interface AnsweringSide {
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
    const message = `the answers differ at ${count} ${count === 1 ? 'place' : 'places'}`
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
