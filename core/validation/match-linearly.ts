/**
 * Matches patterns of schemas in time that is linear in the text: no pattern can make a match run for ever. RE2 takes most
 * patterns; those that look around go to the automata of core/compat; back-references are no regular language, and
 * nothing matches them.
 */
import { RE2JS } from 're2js'
import { Budget, defaultLimits } from '../compat/limits.ts'
import { loadPatterns, Patterns } from '../compat/pattern.ts'
import { TextSearch } from '../compat/text-search.ts'

type Matcher = (text: string) => boolean

const maxKept = 1_000
/** Nodes of the automata that are kept between matches. */
const maxNodes = 50_000
const matchers = new Map<string, Matcher>()
let automata = new Patterns()

/**
 * Does a text hold a match of the pattern, as ECMA-262 reads it? @throws Undecided where no linear engine takes the
 * pattern.
 */
export function matchLinearly(pattern: string, text: string): boolean {
  let matcher = matchers.get(pattern)
  if (matcher === undefined) {
    if (matchers.size >= maxKept) matchers.clear()
    matcher = re2Matcher(pattern) ?? (each => matchByAutomaton(pattern, each))
    matchers.set(pattern, matcher)
  }
  return matcher(text)
}

/** Look-around, and the long names of Unicode properties. */
const beyondRe2 = /\(\?<?[=!]|\\p\{/i

/** Loads what the patterns in a schema's text need. Without it, patterns that RE2 does not take stay undecided. */
export async function loadMatchersFor(schemaText: string): Promise<void> {
  if (beyondRe2.test(schemaText)) await loadPatterns()
}

function re2Matcher(pattern: string): Matcher | undefined {
  try {
    // ECMA-262's $ is the end of the text alone, and so is RE2's without MULTILINE.
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return text => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}

function matchByAutomaton(pattern: string, text: string): boolean {
  if (automata.languages.size > maxNodes) automata = new Patterns()
  // Linear in the text: nothing has to end it.
  const budget = new Budget({ ...defaultLimits, steps: Infinity })
  return new TextSearch(automata.languages, budget).matches(automata.language(pattern), text)
}
