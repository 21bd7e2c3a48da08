/** Converts a schema's pattern for the engines, and tests it on threads that cannot stop a long match. */
import { OutOfBudget, Undecided } from '../compat/proof-limits.ts'
import { matchLinearly } from './match-linearly.ts'

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
