/** How the catalog's search sees text. */
import type { MatchRanges } from '../api/catalog.ts'

/** Lower case with every character at its old place, so that a range found here also fits the original. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  let folded = ''
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at)
    const lowerUnit = unit.toLowerCase()
    folded += lowerUnit.length === 1 ? lowerUnit : unit
  }
  return folded
}

/** The words of a query: folded, each once, 16 at most. */
export function queryWords(query: string): string[] {
  const words = fold(query)
    .split(/\s+/u)
    .filter(word => word !== '')
  return [...new Set(words)].slice(0, 16)
}

const betweenWords = /[^\p{L}\p{N}]+/u
const plainToken = /^[a-z0-9]+$/
const humps = /\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu

/** Calls `each` with every folded word of a text; `getUserName` gives itself and its three parts. */
export function eachToken(text: string, each: (token: string) => void): void {
  for (const token of text.split(betweenWords)) {
    if (token === '') continue
    if (plainToken.test(token)) {
      each(token)
      continue
    }
    each(fold(token))
    for (const [hump] of token.matchAll(humps)) if (hump.length < token.length) each(fold(hump))
  }
}

const wordCharacter = /[\p{L}\p{N}]/u
const capital = /\p{Lu}/u

/** Does a word begin at this place of the original text: after punctuation, or at a hump of camel case? */
export function startsWord(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charAt(at - 1)
  return !wordCharacter.test(before) || (capital.test(text.charAt(at)) && !capital.test(before))
}

const maxRanges = 50

/** The positions of the needles (folded) in the text: in order, without overlap, 50 at most. */
export function highlight(text: string, needles: readonly string[]): MatchRanges {
  const folded = fold(text)
  const found: [number, number][] = []
  for (const needle of needles) {
    if (needle === '') continue
    let count = 0
    for (
      let at = folded.indexOf(needle);
      at >= 0 && count < maxRanges;
      at = folded.indexOf(needle, at + needle.length)
    ) {
      found.push([at, at + needle.length])
      count += 1
    }
  }
  found.sort((a, b) => a[0] - b[0])
  const ranges: [number, number][] = []
  for (const [start, end] of found) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges.slice(0, maxRanges)
}
