/**
 * Finds text that a definition did not have when it was approved, in any part of it: names of properties and of unused
 * definitions, values of an enum, patterns, unknown keywords. Our diff reports changed titles and descriptions where
 * validators look; this covers the rest of what a model reads.
 */
import { isObject } from '../json/json.ts'
import { keywords, textKeywords } from '../schema/keywords.ts'
import { findCues } from '../text/cues.ts'

/** More words in one text, or a longer one, may be a sentence. */
const maxWords = 3
const maxCharacters = 40
/** More words in all new texts of one item may be a sentence that was cut into pieces. */
const maxItemWords = 8
const maxItemCharacters = 120
/** Words of names are shorter on the average; several that were written as one are longer. */
const maxMeanLetters = 6

export interface AddedWords {
  /** How many words the new texts have. */
  readonly words: number
  /** The new texts. */
  readonly texts: readonly string[]
  /** Whether a model could read the new texts as a sentence or an instruction. */
  readonly isProse: boolean
}

/** Whether a reference leads to a part of a schema of the definition: then its steps are keys, which count themselves. */
type PointerCheck = (definition: unknown, reference: string) => boolean

/**
 * Compares the texts of two definitions, however they are ordered. Keys and values count, except what JSON Schema itself
 * defines. A text that moved is not new, unless it is a sentence with another use: a description as a value or a name.
 */
export function findAddedWords(before: unknown, after: unknown, leadsToPart: PointerCheck): AddedWords {
  const approved = [...collectTexts(before, leadsToPart)]
  const known = new Set(approved.map(({ text }) => text))
  // A text may begin with a name of a use itself.
  const toKey = (use: string, text: string) => JSON.stringify([use, text])
  const used = new Set(approved.map(({ use, text }) => toKey(use, text)))
  const added = new Map<string, boolean>()
  for (const { text, use, isSentence } of collectTexts(after, leadsToPart)) {
    const isKnown = used.has(toKey(use, text)) || (known.has(text) && !readsAsProse(text))
    if (!isKnown) added.set(text, isSentence || added.get(text) === true)
  }
  const texts = [...added.keys()]
  const words = weighWords(texts)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return {
    words,
    texts,
    isProse:
      words > maxItemWords ||
      characters > maxItemCharacters ||
      [...added].some(([text, isSentence]) => isSentence || readsAsProse(text)),
  }
}

/** Returns whether a part of a definition has a sentence that it did not have, as a name or a value. */
export const addsSentence = (before: unknown, after: unknown): boolean =>
  findAddedWords(before, after, () => true).texts.some(readsAsProse)

/** Returns whether a model could read a name or a short value as a sentence. */
export function readsAsProse(text: string): boolean {
  return text.length > maxCharacters || countWords(text) > maxWords || deceives(text)
}

/** Returns whether a text has letters or phrases that say more than its few words seem to. */
export function deceives(text: string): boolean {
  // Other letters and invisible characters can hold a sentence in few words.
  if (!/^[\x20-\x7e]*$/.test(text)) return true
  const spaced = text.replace(/[_\-./:]+/g, ' ')
  return findCues([{ kind: 'added', text: spaced }], new Set(), undefined).some(cue => cue.isDangerous)
}

/** A longer run of letters may be several words without a blank: few words of a language are as long. */
const maxRunLetters = 12
const lettersPerWord = 4

/** Returns the number of words, also of `snake_case` and `camelCase`. A long run of letters counts as several. */
export const countWords = (text: string) =>
  (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}|\p{N}+/gu) ?? []).reduce(
    (sum, run) => sum + 1 + Math.max(0, Math.ceil((run.length - maxRunLetters) / lettersPerWord)),
    0,
  )

/** Returns the number of words in several texts, also if each was written as one with its neighbours. */
export function weighWords(texts: readonly string[]): number {
  const letters = texts.join('').match(/\p{L}/gu)?.length ?? 0
  const words = texts.reduce((sum, text) => sum + countWords(text), 0)
  return Math.max(words, Math.ceil(letters / maxMeanLetters))
}

interface FoundText {
  readonly text: string
  /** The keyword or `name`. */
  readonly use: string
  /** The value of a keyword for text, such as a description. */
  readonly isSentence: boolean
}

const dialectUrl =
  /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]\/schema|draft\/(?:20\d\d-\d\d|next)\/schema|schema)#?$/
export const isDialectUrl = (value: unknown) => typeof value === 'string' && dialectUrl.test(value)
const types: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
])
/** Their values are texts for people or models wherever they are. */
const sentenceKeys: ReadonlySet<string> = new Set([...textKeywords, '$comment', 'markdownDescription'])
/** Keywords whose texts are used alike. */
const uses: ReadonlyMap<string, string> = new Map([
  ['required', 'name'],
  ['const', 'enum'],
  ['title', 'description'],
])
const fieldNames: ReadonlySet<string> = new Set([
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'extra',
])

/** Uses no recursion: a hostile definition may be nested deeply. */
function* collectTexts(root: unknown, leadsToPart: PointerCheck): Generator<FoundText> {
  const open: { readonly value: unknown; readonly key: string }[] = [{ value: root, key: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, key } = next
    if (typeof value === 'string') {
      const isKnown = isVocabulary(key, value) || (isShortPointer(key, value) && leadsToPart(root, value))
      if (!isKnown) yield { text: value, use: uses.get(key) ?? key, isSentence: sentenceKeys.has(key) }
    } else if (Array.isArray(value)) for (const item of value) open.push({ value: item, key })
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) {
        if (!keywords.has(name) && !fieldNames.has(name)) yield { text: name, use: 'name', isSentence: false }
        open.push({ value: inner, key: name })
      }
  }
}

function isVocabulary(key: string, value: string): boolean {
  if (key === 'type') return types.has(value)
  return key === '$schema' && isDialectUrl(value)
}

const isShortPointer = (key: string, value: string) =>
  key === '$ref' && /^#(?:\/[^/\s]{1,80}){0,12}$/.test(value) && countWords(value) <= 12
