import { isFields } from './fields.ts'

/** Deeper than this two values count as different: whoever looks closer has limits of its own. */
const deepest = 400

/** Are two JSON values equal? The order of an object's members does not count. Nothing is allocated for equal ones. */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > deepest) return false
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index], depth + 1))
    )
  if (!isFields(a) || !isFields(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(name => Object.hasOwn(b, name) && sameJson(a[name], b[name], depth + 1))
}
