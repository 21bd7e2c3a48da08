/** A parsed request: its words, and the tokens of the catalog that match each of them. */
import { splitAsIn } from './name-fit.ts'
import { findSynonyms, replacePhrases } from './synonyms.ts'
import { fitsWithOneTypo } from './typo.ts'
import type { WordIndex } from './word-index.ts'
import { isStopWord, splitIntoWords, stemWord } from './words.ts'

/** How a token matches a word, and the worth of such a match compared with the word itself. */
const worth = {
  same: 1,
  stem: 0.95,
  synonym: 0.75,
  beginning: 0.8,
  beginningOfOther: 0.4,
  part: 0.3,
  typo: 0.6,
}

/** A word of the request with its matching tokens, by number. */
export interface QueryTerm {
  readonly word: string
  readonly tokens: ReadonlyMap<number, StandIn>
}

interface StandIn {
  /** From 0 to 1. */
  readonly worth: number
  /** Whether the token only contains the word. */
  readonly isPart: boolean
  /** Whether it is another word. */
  readonly isOther: boolean
}

const maxWords = 16

/** A request in the form that the ranking needs. */
export interface Request {
  readonly terms: readonly QueryTerm[]
  /** All its words without separators, as a name may contain them. */
  readonly joined: string
  /** Whether no tool has its last word, which may still be incomplete. */
  readonly isWordOpen: boolean
}

/** Parses a folded request; `find` returns the terms of a word. */
export function readRequest(
  index: WordIndex,
  text: string,
  find: (word: string) => readonly QueryTerm[],
): Request {
  const words = splitIntoWords(text)
  return {
    terms: queryWords(text).flatMap(find),
    joined: words.join(''),
    isWordOpen: index.numberOf(words.at(-1) ?? '') === undefined,
  }
}

/** Returns the significant words of a folded request, each once, at most 16; all words if none is significant. */
function queryWords(request: string): string[] {
  const words = [...new Set(splitIntoWords(replacePhrases(request)))]
  const telling = words.filter(word => !isStopWord(word))
  return (telling.length > 0 ? telling : words).slice(0, maxWords)
}

/**
 * Returns the terms for a word. If no token matches, the word is read as several words of a name without separators,
 * each a term, and else as a typo.
 */
export function findTerms(index: WordIndex, names: readonly string[], word: string): readonly QueryTerm[] {
  const term = findTerm(index, word)
  if (term.tokens.size > 0) return [term]
  const parts = splitWord(names, word)
  if (parts !== undefined) return parts.map(part => findTerm(index, part))
  const tokens = new Map<number, StandIn>()
  index.eachToken((number, token) => {
    if (fitsWithOneTypo(token, word)) tokens.set(number, { worth: worth.typo, isPart: false, isOther: false })
  })
  return [{ word, tokens }]
}

function splitWord(names: readonly string[], word: string): string[] | undefined {
  for (const name of names) {
    const parts = splitAsIn(name, word)
    if (parts !== undefined) return parts
  }
  return undefined
}

function findTerm(index: WordIndex, word: string): QueryTerm {
  const tokens = new Map<number, StandIn>()
  const add = (number: number, value: number, isPart = false) => {
    if (!tokens.has(number)) tokens.set(number, { worth: value, isPart, isOther: value === worth.synonym })
  }
  const same = index.numberOf(word)
  if (same !== undefined) add(same, worth.same)
  const stem = stemWord(word)
  for (const number of index.ofStem(stem)) add(number, worth.stem)
  const ofBeginning = tokens.size > 0 ? worth.beginningOfOther : worth.beginning
  for (const synonym of findSynonyms(stem))
    for (const number of index.ofStem(synonym)) add(number, worth.synonym)
  index.eachToken((number, token) => {
    if (token.startsWith(word)) add(number, ofBeginning, true)
    else if (word.length > 2 && index.isInName(number) && token.includes(word)) add(number, worth.part, true)
  })
  return { word, tokens }
}
