/** JSON Pointers (RFC 6901), and paths of keys. */

import { isObject, own } from './json.ts'

/** Keys and indexes from the root of a value to one of its parts. */
export type Path = readonly (string | number)[]

/** Returns one step of a pointer: `a/b` → `/a~1b`. */
export function pointerStep(key: string | number): string {
  if (typeof key === 'number') return `/${key}`
  return /[~/]/.test(key) ? `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${key}`
}

/** Returns a pointer: `['a/b', 0]` → `/a~1b/0`; the root is `''`. */
export function toPointer(path: Path): string {
  return path.map(pointerStep).join('')
}

/**
 * Returns the segments of a pointer: `/a~1b/0` → `['a/b', '0']`. A leading `#` is allowed; percent signs are not
 * decoded.
 */
export function pointerSegments(pointer: string): string[] {
  const text = pointer.startsWith('#') ? pointer.slice(1) : pointer
  if (text === '') return []
  return text
    .slice(1)
    .split('/')
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns all pointers above one, the root first: `/a/0` → `''`, `/a`. */
export function pointersAbove(pointer: string): string[] {
  const above: string[] = []
  for (let at = pointer.lastIndexOf('/'); at >= 0; at = pointer.lastIndexOf('/', at - 1)) {
    above.unshift(pointer.slice(0, at))
    if (at === 0) break
  }
  return above
}

/** Returns the part of a value at the given keys; only own properties count. */
export function valueAt(value: unknown, path: Path): unknown {
  let current: unknown = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}

/**
 * Returns a copy of the value with `part` at the steps of a pointer. Missing lists and objects on the way are created.
 * The step `*` is the first item of a list.
 */
export function withPart(value: unknown, steps: readonly string[], part: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return part
  if (Array.isArray(value) || (step === '*' && !isObject(value))) {
    const list: readonly unknown[] = Array.isArray(value) ? value : []
    const index = step === '*' ? 0 : Number(step)
    const item = withPart(list[index], rest, part)
    return index < list.length ? list.with(index, item) : [...list, item]
  }
  const node = isObject(value) ? value : {}
  return { ...node, [step]: withPart(own(node, step), rest, part) }
}
