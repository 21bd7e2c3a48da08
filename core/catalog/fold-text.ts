/** Folds text for comparison, and finds the parts of it that a search matched. */
import type { MatchRanges } from './rows.ts'

/** Returns lower case with every character at its old position, so that a range in it also fits the original. */
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

const plainToken = /^[a-z0-9]+$/
const tokens = /[\p{L}\p{N}]+/gu
const humps = /\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu

/** Calls `each` with every folded word of a text and its position; `getUserName` gives itself and its three parts. */
export function eachToken(text: string, each: (token: string, start: number) => void): void {
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (plainToken.test(token)) {
      each(token, index)
      continue
    }
    each(fold(token), index)
    for (const hump of token.matchAll(humps))
      if (hump[0].length < token.length) each(fold(hump[0]), index + hump.index)
  }
}

const maxRanges = 50

/**
 * Returns the ranges to highlight in a text: in order, without overlap, at most 50.
 *
 * @param partOf returns the matching part of a folded word, if any
 */
export function highlight(text: string, partOf: (token: string) => string | undefined): MatchRanges {
  const found: [number, number][] = []
  eachToken(text, (token, start) => {
    const part = partOf(token)
    if (part === undefined || found.length >= maxRanges) return
    const at = start + Math.max(0, token.indexOf(part))
    found.push([at, at + part.length])
  })
  found.sort((a, b) => a[0] - b[0])
  const ranges: [number, number][] = []
  for (const [start, end] of found) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges
}
