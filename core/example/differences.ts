/** Where two JSON values differ: key order does not count, numbers count by their exact value. */

import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { pointerStep } from '../json/pointer.ts'

/** One place. `expected` or `actual` is absent where one side has nothing there. Both are JSON text, cut where long. */
export interface Difference {
  /** JSON Pointer (RFC 6901); `''` is the whole value. */
  readonly path: string
  readonly expected?: string | undefined
  readonly actual?: string | undefined
}

export interface Differences {
  readonly places: readonly Difference[]
  /** Places beyond the limit. */
  readonly more: number
}

const textLength = 300

/** At most `limit` places in document order; the deepest place that differs is named, not its parents. */
export function differencesOf(expected: Json, actual: Json, limit = 50): Differences {
  const places: Difference[] = []
  let more = 0
  const tell = (difference: Difference) => {
    if (places.length < limit) places.push(difference)
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
    } else
      tell({
        path,
        ...(left === undefined ? {} : { expected: shortText(left) }),
        ...(right === undefined ? {} : { actual: shortText(right) }),
      })
  }
  visit(expected, actual, '')
  return { places, more }
}

function member(object: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function shortText(value: Json): string {
  const text = writeJson(value, 0)
  return text.length > textLength ? `${text.slice(0, textLength)}…` : text
}
