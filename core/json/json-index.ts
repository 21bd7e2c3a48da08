/**
 * Finds entries by a JSON value, compared as in `jsonEquals`, in a time that does not depend on the number of entries.
 */
import { canonicalJson, jsonEquals } from './equality.ts'

/** Levels of a value that its key contains. Only `jsonEquals` compares deeper ones. */
const maxKeyLevels = 20

export class JsonIndex<Entry> {
  private readonly buckets = new Map<string, { readonly value: unknown; readonly entries: Entry[] }[]>()

  add(value: unknown, entry: Entry): void {
    const known = this.entriesOf(value)
    if (known !== undefined) {
      known.push(entry)
      return
    }
    const key = toIndexKey(value)
    const bucket = this.buckets.get(key)
    if (bucket === undefined) this.buckets.set(key, [{ value, entries: [entry] }])
    else bucket.push({ value, entries: [entry] })
  }

  /**
   * Returns the entries in the order in which they were added; undefined if there never was one. The caller may remove
   * some.
   */
  entriesOf(value: unknown): Entry[] | undefined {
    return this.buckets.get(toIndexKey(value))?.find(known => jsonEquals(known.value, value))?.entries
  }
}

/**
 * Returns a function that decides whether a value is in the list. Texts, the usual items of long lists, need no key.
 */
export function jsonIncludes(list: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set<unknown>()
  const others = new JsonIndex<true>()
  for (const value of list) {
    if (typeof value === 'string') texts.add(value)
    else others.add(value, true)
  }
  return value => (typeof value === 'string' ? texts.has(value) : others.entriesOf(value) !== undefined)
}

function toIndexKey(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : canonicalJson(value, maxKeyLevels)
}
