/**
 * Matches patterns of schemas in time that is linear in the text, so that no pattern can hang a match. RE2 handles most
 * patterns; the automata of core/compat handle look-arounds. Back-references are not a regular language and are not
 * supported.
 */
import { RE2JS } from 're2js'
import { loadPatterns, Patterns } from '../compat/pattern.ts'
import { Budget, defaultProofLimits } from '../compat/proof-limits.ts'
import { TextSearch } from '../compat/shortest-text.ts'

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
