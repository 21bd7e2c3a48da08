/** Makes a witness smaller while it stays one. */
import { isObject, objectOf } from './values.ts'

const maximumChecks = 150

/** @param isWitness must not throw. */
export function shrink(witness: unknown, isWitness: (value: unknown) => boolean): unknown {
  let checks = 0
  const accept = (candidate: unknown) => {
    checks += 1
    return checks <= maximumChecks && isWitness(candidate)
  }
  let current = witness
  for (;;) {
    const smaller = smallerThan(current).find(accept)
    if (smaller === undefined || checks > maximumChecks) return current
    current = smaller
  }
}

/** The value with one part taken away or made smaller, the boldest first. */
function smallerThan(value: unknown, depth = 0): unknown[] {
  if (depth > 8) return []
  if (typeof value === 'string') return value.length > 1 ? [value.slice(0, 1)] : []
  if (Array.isArray(value)) {
    const without = value.map((_, index) => value.toSpliced(index, 1))
    const within = value.flatMap((item, index) =>
      smallerThan(item, depth + 1).map(smaller => value.with(index, smaller)),
    )
    return [...without, ...within]
  }
  if (!isObject(value)) return []
  const entries = Object.entries(value)
  const without = entries.map((_, index) => objectOf(entries.toSpliced(index, 1)))
  const within = entries.flatMap(([name, item], index) =>
    smallerThan(item, depth + 1).map(smaller => objectOf(entries.with(index, [name, smaller]))),
  )
  return [...without, ...within]
}
