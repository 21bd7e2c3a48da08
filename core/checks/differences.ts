/** Finds the differences of two JSON values: key order is ignored, numbers are compared by exact value. */

import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { pointerStep } from '../json/pointer.ts'

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
