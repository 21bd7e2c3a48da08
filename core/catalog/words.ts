/** Words of a request: their stems, and words without meaning for the search. */
import { stemmer } from 'stemmer'

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
