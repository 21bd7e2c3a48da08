/** A parsed request: its words, and the tokens of the catalog that match each of them. */
import { findSynonyms, replacePhrases } from './synonyms.ts'
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

/**
 * Returns whether a token starts with the word, with at most one mistake: a letter wrong, missing or extra, or two
 * swapped. Words under five letters must match the whole token, because they would match almost everything. Words under
 * three never match.
 */
export function fitsWithOneTypo(token: string, word: string): boolean {
  if (word.length < 3 || token.length < word.length - 1) return false
  if (word.length < 5 && token.length > word.length + 1) return false
  let same = 0
  while (same < word.length && token.charCodeAt(same) === word.charCodeAt(same)) same += 1
  if (same === word.length) return true
  const fits = (rest: string, at: number) =>
    word.length < 5 ? token.length === at + rest.length && token.endsWith(rest) : token.startsWith(rest, at)
  const afterWrong = word.slice(same + 1)
  return (
    fits(afterWrong, same + 1) ||
    fits(afterWrong, same) ||
    fits(word.slice(same), same + 1) ||
    (same + 1 < word.length &&
      token.charCodeAt(same) === word.charCodeAt(same + 1) &&
      token.charCodeAt(same + 1) === word.charCodeAt(same) &&
      fits(word.slice(same + 2), same + 2))
  )
}

/** Compares a tool's name with the text that a user types, regardless of case and of the characters between words. */

/**
 * Returns how well a request matches the name: 3 all of it, 2 its last segment, 1 the beginning of either, 0 no match.
 *
 * @param joined the folded words of the request without separators
 * @param isWordOpen whether the request may end inside a word of the name
 */
export function nameFit(name: string, joined: string, isWordOpen: boolean): number {
  if (joined === '') return 0
  const end = endOfMatch(name, 0, joined)
  if (end === name.length) return 3
  const leaf = name.lastIndexOf(' ') + 1
  const leafEnd = leaf === 0 ? end : endOfMatch(name, leaf, joined)
  if (leafEnd === name.length) return 2
  const isBeginning = (at: number | undefined) => at !== undefined && (isWordOpen || isWordStart(name, at))
  return isBeginning(end) || isBeginning(leafEnd) ? 1 : 0
}

/**
 * Returns the parts of a folded word that are consecutive words of this name; undefined if the name does not contain
 * them.
 */
function splitAsIn(name: string, word: string): string[] | undefined {
  for (let start = 0; start < name.length; start += 1) {
    if (!isWordStart(name, start)) continue
    const parts: string[] = []
    let read = 0
    const isFound = endOfMatch(name, start, word, length => {
      parts.push(word.slice(read, length))
      read = length
    })
    if (isFound !== undefined) return [...parts, word.slice(read)]
  }
  return undefined
}

/**
 * Returns the position in the name after a text that starts at `start`; undefined if the text is not there. `onWord`
 * gets the length of the text before each further word.
 */
function endOfMatch(
  name: string,
  start: number,
  text: string,
  onWord?: (length: number) => void,
): number | undefined {
  let at = start
  for (let read = 0; read < text.length; at += 1) {
    if (at >= name.length) return undefined
    const isSame = foldedCode(name, at) === text.charCodeAt(read)
    if (!isSame && isBetween(name, at)) continue
    if (!isSame) return undefined
    if (read > 0 && onWord !== undefined && isWordStart(name, at)) onWord(read)
    read += 1
  }
  while (at < name.length && isBetween(name, at)) at += 1
  return at
}

/** The kind of a character. ASCII uses a table, because a search reads every name. */
type CharacterKind = 'between' | 'upper' | 'other'
const classifyCharacter = (character: string): CharacterKind =>
  /\p{Lu}/u.test(character) ? 'upper' : /[\p{L}\p{N}]/u.test(character) ? 'other' : 'between'
const asciiKinds = Array.from({ length: 128 }, (_, code) => classifyCharacter(String.fromCharCode(code)))
const kindAt = (name: string, at: number): CharacterKind =>
  asciiKinds[name.charCodeAt(at)] ?? classifyCharacter(name.charAt(at))

const isBetween = (name: string, at: number) => kindAt(name, at) === 'between'

function foldedCode(name: string, at: number): number {
  return kindAt(name, at) === 'upper' ? name.charAt(at).toLowerCase().charCodeAt(0) : name.charCodeAt(at)
}

/** Returns whether a word starts here: after a separator, or as in `getHTMLPage`. */
function isWordStart(name: string, at: number): boolean {
  if (at === 0 || isBetween(name, at - 1)) return true
  if (kindAt(name, at) !== 'upper') return false
  return kindAt(name, at - 1) !== 'upper' || /\p{Ll}/u.test(name.charAt(at + 1))
}
