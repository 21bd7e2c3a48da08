/** One step further in a JSON Pointer (RFC 6901). */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** All pointers above one, the root first: `/a/0` → `''`, `/a`. */
export function ancestorsOf(pointer: string): string[] {
  const above: string[] = []
  for (let at = pointer.lastIndexOf('/'); at >= 0; at = pointer.lastIndexOf('/', at - 1)) {
    above.unshift(pointer.slice(0, at))
    if (at === 0) break
  }
  return above
}
