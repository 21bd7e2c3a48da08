/** Patterns that cannot be made to backtrack: RE2 semantics, time linear in the text. */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

const maxPatterns = 1_000
const matchers = new LRUCache<string, (text: string) => boolean>({ max: maxPatterns })

/**
 * Does a text hold a match of the pattern, as ECMA-262 reads it? A pattern that RE2 lacks (look-around, back-references)
 * runs on the engine's own RegExp: the worker's time limit then stands between it and the server.
 */
export function matchLinearly(pattern: string, text: string): boolean {
  const matcher = matchers.get(pattern) ?? linearMatcher(pattern) ?? nativeMatcher(pattern)
  matchers.set(pattern, matcher)
  return matcher(text)
}

function linearMatcher(pattern: string): ((text: string) => boolean) | undefined {
  try {
    // ECMA-262's $ is the end of the text alone, and so is RE2's without MULTILINE.
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return text => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}

/** JSON Schema asks for the `u` flag; real schemas hold patterns that are valid only without it. */
function nativeMatcher(pattern: string): (text: string) => boolean {
  const compiled = compileNative(pattern)
  return text => compiled.test(text)
}

function compileNative(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
