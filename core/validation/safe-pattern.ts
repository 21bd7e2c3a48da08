/** A schema's pattern as engines take it, and testing one where nothing can end a match that is too long. */
import { OutOfBudget, Undecided } from '../compat/limits.ts'
import { matchLinearly } from './match-linearly.ts'

const maxTextLength = 200
/** The time of a match grows with the product of text and pattern. */
const maxPatternLength = 2_000

/** `undefined` where the pattern is invalid, or one of the two is too long for a thread that must not wait. */
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
 * The pattern as the `u` flag takes it: authors write `\-` and `\_`, which only the older mode allows.
 * `null` when it is no regular expression at all.
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

/** Compiles, never matches. */
function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
