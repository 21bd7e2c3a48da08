/** JSON Pointers (RFC 6901) and the paths that the form walks by. */

/** Keys and indexes from the root of a value to one of its parts. */
export type Path = readonly (string | number)[]

/** `['a/b', 0]` → `/a~1b/0`; the root is `''`. */
export function toPointer(path: Path): string {
  return path.map(segment => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** `/a~1b/0` → `['a/b', '0']`. A leading `#` is tolerated; percent signs are not decoded. */
export function pointerSegments(pointer: string): string[] {
  const text = pointer.startsWith('#') ? pointer.slice(1) : pointer
  if (text === '') return []
  return text
    .slice(1)
    .split('/')
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The part of a value at the given keys; only own properties count. */
export function valueAt(value: unknown, segments: readonly (string | number)[]): unknown {
  let current: unknown = value
  for (const segment of segments) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    current = (current as Record<string | number, unknown>)[segment]
  }
  return current
}
