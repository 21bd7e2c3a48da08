/** Sets of Unicode code points as sorted, disjoint, inclusive ranges: `[97, 122]` is a to z. */
export type CharSet = readonly number[]

const lastCodePoint = 0x10ffff

export const everyChar: CharSet = [0, lastCodePoint]

function intersectChars(a: CharSet, b: CharSet): CharSet {
  const result: number[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i] ?? 0, b[j] ?? 0)
    const highA = a[i + 1] ?? 0
    const highB = b[j + 1] ?? 0
    const high = Math.min(highA, highB)
    if (low <= high) result.push(low, high)
    if (highA < highB) i += 2
    else j += 2
  }
  return result
}

export function hasChar(set: CharSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (code >= (set[i] ?? 0) && code <= (set[i + 1] ?? -1)) return true
  return false
}

/** Returns the classes of characters that no set distinguishes; together they are all characters. */
export function splitIntoClasses(sets: Iterable<CharSet>): CharSet[] {
  // Each elementary range is keyed by the sets that it lies in; ranges with one key make a class.
  const changes = new Map<number, number[]>([[0, []]])
  let index = 0
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      addChange(changes, set[i] ?? 0, index)
      addChange(changes, (set[i + 1] ?? 0) + 1, index)
    }
    index += 1
  }
  const starts = [...changes.keys()].filter(start => start <= lastCodePoint).sort((x, y) => x - y)
  const inside = new Set<number>()
  const classes = new Map<string, number[]>()
  for (const [at, start] of starts.entries()) {
    for (const changed of changes.get(start) ?? [])
      if (inside.has(changed)) inside.delete(changed)
      else inside.add(changed)
    const key = [...inside].sort((x, y) => x - y).join()
    const end = (starts[at + 1] ?? lastCodePoint + 1) - 1
    const known = classes.get(key)
    if (known) known.push(start, end)
    else classes.set(key, [start, end])
  }
  return [...classes.values()]
}

function addChange(changes: Map<number, number[]>, at: number, index: number): void {
  const known = changes.get(at)
  if (known) known.push(index)
  else changes.set(at, [index])
}

/** Readable ranges first. Surrogates are not characters. */
const preferred: readonly CharSet[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x2d, 0x2d],
  [0x5f, 0x5f],
  [0x21, 0x7e],
  [0x20, 0x20],
  [0x0a, 0x0a],
  [0xa1, 0x17f],
  [0, 0xd7ff],
  [0xe000, lastCodePoint],
]

/** Returns a character that represents a set, preferably a letter; undefined if only surrogates remain. */
export function readableChar(set: CharSet): number | undefined {
  for (const range of preferred) {
    const [low] = intersectChars(set, range)
    if (low !== undefined) return low
  }
  return undefined
}
