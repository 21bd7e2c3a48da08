/** Makes a witness smaller while it stays one. */
import { isObject, objectOf } from './values.ts'

const maximumChecks = 150

/** @param isWitness must not throw. */
export function shrink(witness: unknown, isWitness: (value: unknown) => boolean): unknown {
  let checks = 0
  let current = witness
  for (;;) {
    let smaller: unknown
    for (const candidate of smallerThan(current)) {
      checks += 1
      if (checks > maximumChecks) return current
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
  for (const index of entries.keys()) yield objectOf(entries.toSpliced(index, 1))
  for (const [index, [name, item]] of entries.entries())
    for (const smaller of smallerThan(item, depth + 1)) yield objectOf(entries.with(index, [name, smaller]))
}
