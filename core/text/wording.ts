/** Words and counts inside messages. */

/** Returns `1 tool`, `2 tools`. The digits are plain, because programs read such messages too. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Returns at most this many characters; a cut text ends with `…`. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Returns `a, b or c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** A longer word is not a typing mistake, and comparing it costs time. */
const maxWordCharacters = 100

/**
 * Returns the candidate closest in spelling (Damerau-Levenshtein, optimal string alignment), or null if none is close.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  return findNearest(word, candidates, 1)[0] ?? null
}

/** Returns the closest candidates, at most `count`, closest first; ties stay in the given order. */
export function findNearest(word: string, candidates: readonly string[], count: number): string[] {
  if (word.length > maxWordCharacters) return []
  const limit = Math.max(2, Math.floor(word.length / 3)) + 1
  const wanted = word.toLowerCase()
  const close: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const distance = editDistance(wanted, candidate.toLowerCase(), limit)
    if (distance < limit) close.push({ candidate, distance })
  }
  return close
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1)
      row.push(value)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? limit
}
