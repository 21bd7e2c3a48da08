/** How alike two names are, to guess that one became the other. */

/** Longer names are compared by their beginnings. */
const longest = 80

/** 1 for the same letters in whatever case and punctuation, 0 for nothing in common. */
export function nameSimilarity(a: string, b: string): number {
  const left = letters(a)
  const right = letters(b)
  if (left === '' || right === '') return 0
  if (left === right) return 1
  const words = new Set(wordsOf(a))
  const others = wordsOf(b)
  const shared = others.filter(word => words.has(word)).length / Math.max(words.size, others.length)
  const edits = 1 - distance(left, right) / Math.max(left.length, right.length)
  return Math.max(edits, shared)
}

const letters = (name: string) =>
  name
    .slice(0, longest)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function wordsOf(name: string): string[] {
  return (name.slice(0, longest).match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{L}/gu) ?? []).map(word =>
    word.toLowerCase(),
  )
}

/** Letters to insert, drop or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous.at(-1) ?? 0
}
