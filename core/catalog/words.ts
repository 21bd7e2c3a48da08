/** Words of a request: their stems, and words without meaning for the search. */
import { stemmer } from 'stemmer'
import type { MatchRanges } from './rows.ts'

const betweenWords = /[^\p{L}\p{N}]+/u

/** Words that say nothing about the tool: articles, pronouns, auxiliaries. */
const stopWords = new Set(
  `a an and another any anybody anyone anything are as at be been but by can could did do does for from give had has have he her
  his how i if in into is it its just let like likes may me might mine more most my need no not of on one or other our ours
  out please she should so still some somebody someone something somewhere than that the their them then there these they thing
  things this those to tool tools too us very want wants was way we were what when where which who whom whose why will
  with would you your`.split(/\s+/),
)

export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

/** Returns the words of a text, in order: `get_user-name` has three. */
export function splitIntoWords(text: string): string[] {
  return text.split(betweenWords).filter(word => word !== '')
}

/** English words are not longer; longer ones are stored unchanged. */
const maxStemmed = 30

/** Returns the stem of a folded word, by Porter's algorithm: `copies` and `copied` have the same. */
export function stemWord(word: string): string {
  return word.length <= maxStemmed && /^[a-z]+$/.test(word) ? stemmer(word) : word
}

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
