/** Makes a witness smaller while it stays one. */

import { isObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { sampleOf } from './format-samples.ts'

const maxChecks = 150

/** @param isWitness must not throw. */
export function shrink(witness: unknown, isWitness: (value: unknown) => boolean): unknown {
  let checks = 0
  let current = witness
  for (;;) {
    let smaller: unknown
    for (const candidate of smallerThan(current)) {
      checks += 1
      if (checks > maxChecks) return current
      if (!isWitness(candidate)) continue
      smaller = candidate
      break
    }
    if (smaller === undefined) return current
    current = smaller
  }
}

/** The value with one part taken away or made smaller, the boldest first. */
function* smallerThan(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 8) return
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, 1)
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries())
      for (const smaller of smallerThan(item, depth + 1)) yield value.with(index, smaller)
  }
  if (!isObject(value)) return
  const entries = Object.entries(value)
  for (const index of entries.keys()) yield Object.fromEntries(entries.toSpliced(index, 1))
  for (const [index, [name, item]] of entries.entries())
    for (const smaller of smallerThan(item, depth + 1))
      yield Object.fromEntries(entries.with(index, [name, smaller]))
}

/** Gives texts the form that their `format` names, where the witness stays one. @param formats by JSON Pointer. */
export function keepFormats(
  witness: unknown,
  formats: ReadonlyMap<string, string>,
  isWitness: (value: unknown) => boolean,
): unknown {
  let current = witness
  for (const [path, format] of [...formats].slice(0, 50)) {
    const sample = sampleOf(format)
    if (sample === undefined) continue
    const changed = replaceText(current, path, sample)
    if (changed !== current && isWitness(changed)) current = changed
  }
  return current
}

/** @returns the value itself when no text stands at the path. */
function replaceText(value: unknown, path: string, text: string): unknown {
  if (path === '') return typeof value === 'string' ? text : value
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : []
  const at = entries.findIndex(
    ([key]) => path === pointerStep(key) || path.startsWith(`${pointerStep(key)}/`),
  )
  const entry = entries[at]
  if (!entry) return value
  const [key, inner] = entry
  const changed = replaceText(inner, path.slice(pointerStep(key).length), text)
  if (changed === inner) return value
  if (Array.isArray(value)) return value.with(at, changed)
  return Object.fromEntries(Object.entries(value as object).with(at, [String(key), changed]))
}
