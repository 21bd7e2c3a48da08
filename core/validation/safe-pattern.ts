/**
 * Converts a schema's pattern for the engines, tests it on threads that cannot stop a long match, and matches it in time
 * that is linear in the text, so that no pattern can hang a match. RE2 handles most patterns; the automata of core/compat
 * handle look-arounds. Back-references are not a regular language and are not supported.
 */

import { RE2JS } from 're2js'
import { loadPatterns, Patterns } from '../compat/pattern.ts'
import { Budget, defaultProofLimits, OutOfBudget, Undecided } from '../compat/proof-limits.ts'
import { TextSearch } from '../compat/shortest-text.ts'

const maxTextLength = 200
/** The time of a match grows with the product of text and pattern. */
const maxPatternLength = 2_000

/**
 * Returns `undefined` if the pattern is invalid, or if pattern or text is too long for a thread that must not block.
 */
export function testPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > maxTextLength || pattern.length > maxPatternLength) return undefined
  try {
    return matchLinearly(pattern, text)
  } catch (thrown) {
    if (thrown instanceof Undecided || thrown instanceof OutOfBudget) return undefined
    throw thrown
  }
}

/**
 * Returns the pattern in a form that the `u` flag accepts: authors write `\-` and `\_`, which only the older mode
 * allows. Returns `null` if it is not a regular expression.
 */
export function unicodePattern(pattern: string): string | null {
  for (const candidate of [
    pattern,
    pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])|\\(_)/g, '$1$2'),
    bareDashes(pattern),
  ])
    if (compiles(candidate)) return candidate
  return null
}

function bareDashes(pattern: string): string {
  return pattern.replace(/\\([^A-Za-z0-9^$\\.*+?()[\]{}|/])/g, '$1')
}

/** Only compiles the pattern, never matches. */
function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

type TextMatcher = (text: string) => boolean

const maxMatchers = 1_000
/** Maximum automaton nodes that are kept between matches. */
const maxNodes = 50_000
const matchers = new Map<string, TextMatcher>()
let automata = new Patterns()

/**
 * Returns whether a text contains a match of the pattern, as in ECMA-262.
 * @throws Undecided if no linear engine supports the pattern
 */
export function matchLinearly(pattern: string, text: string): boolean {
  let matcher = matchers.get(pattern)
  if (matcher === undefined) {
    if (matchers.size >= maxMatchers) matchers.clear()
    matcher = re2Matcher(pattern) ?? (each => matchByAutomaton(pattern, each))
    matchers.set(pattern, matcher)
  }
  return matcher(text)
}

/** Look-arounds, and the long names of Unicode properties. */
const beyondRe2 = /\(\?<?[=!]|\\p\{/i

/**
 * Loads the engines for the patterns in a schema's text. Without them, patterns that RE2 does not support stay
 * undecided.
 */
export async function loadMatchersFor(schemaText: string): Promise<void> {
  if (beyondRe2.test(schemaText)) await loadPatterns()
}

function re2Matcher(pattern: string): TextMatcher | undefined {
  try {
    // ECMA-262's $ matches only the end of the text, like RE2's $ without MULTILINE.
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return text => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}

function matchByAutomaton(pattern: string, text: string): boolean {
  if (automata.languages.size > maxNodes) automata = new Patterns()
  // A match is linear in the text, so it needs no maximum.
  const budget = new Budget({ ...defaultProofLimits, steps: Infinity })
  return new TextSearch(automata.languages, budget).matches(automata.language(pattern), text)
}

/** Steps of one search for a text. */
const findSteps = 20_000

/**
 * Returns a short text of `min` to `max` code points that contains a match of `pattern`; with `isMatch: false`, one that
 * does not. Returns undefined if no such text is found, or if the search is too long or needs `loadPatterns` first.
 */
export function findText(
  pattern: string,
  { isMatch = true, min = 0, max = Number.POSITIVE_INFINITY }: FindTextOptions = {},
): string | undefined {
  const key = `${isMatch} ${min} ${max} ${pattern}`
  if (foundTexts.has(key)) return foundTexts.get(key)
  try {
    if (automata.languages.size > maxNodes) automata = new Patterns()
    const { languages } = automata
    const language = automata.language(pattern)
    const search = new TextSearch(languages, new Budget({ ...defaultProofLimits, steps: findSteps }))
    const found = search.find(isMatch ? language : languages.not(language), min, max)
    if (foundTexts.size >= maxMatchers) foundTexts.clear()
    foundTexts.set(key, found)
    return found
  } catch (thrown) {
    if (thrown instanceof Undecided || thrown instanceof OutOfBudget) return undefined
    throw thrown
  }
}

const foundTexts = new Map<string, string | undefined>()

interface FindTextOptions {
  readonly isMatch?: boolean
  readonly min?: number
  readonly max?: number
}
