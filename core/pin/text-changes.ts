/**
 * Adds the texts that made a difference to its changes, unless a change shows them already: what a person approves must be
 * shown, and our diff says only that a schema is written differently if validators ignore what changed.
 */
import type { Change } from '../diff/change.ts'
import { withSortedKeys } from '../json/equality.ts'
import type { Json } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { diffWords, type WordRun } from '../text/word-diff.ts'
import type { PartChange } from './plain-changes.ts'
import { listAllTexts } from './schema-parts.ts'

/** Adds one change with the new texts. */
export function withTexts(changes: readonly Change[], texts: readonly string[]): readonly Change[] {
  const isPrinted = printedIn(changes)
  const missing = texts.filter(text => !isPrinted(text))
  if (missing.length === 0) return changes
  const words = [{ kind: 'added' as const, text: missing.join('\n') }]
  return [...changes, describeTexts('text-added', '', 'texts in names and values that were not there', words)]
}

/** Adds a change for each part that was rewritten, with the part itself. */
export function withRewrittenParts(
  changes: readonly Change[],
  parts: readonly PartChange[],
): readonly Change[] {
  const isPrinted = printedIn(changes)
  const missing = parts.filter(({ type, before, after }) => {
    if (type === 'wider') return false
    const [old, now] = [new Set(listAllTexts(before)), new Set(listAllTexts(after))]
    const different = [...[...old].filter(text => !now.has(text)), ...[...now].filter(text => !old.has(text))]
    return different.length === 0 || !different.every(isPrinted)
  })
  return [
    ...changes,
    ...missing.map(({ path, before, after }) =>
      describeTexts('part-rewritten', path, 'written in another way', diffWords(print(before), print(after))),
    ),
  ]
}

/** A lock has its members in an order of its own. A part was read from JSON. */
const print = (part: unknown) => writeJson(withSortedKeys(part) as Json | undefined)

/** Many texts are not searched in many others: that takes a second at most. */
const maxSearchedCharacters = 200_000_000

/** Returns a test whether a change of a text, or its sentence, has the whole text. */
function printedIn(changes: readonly Change[]): (text: string) => boolean {
  const printed = new Set(
    changes.flatMap(({ message, words = [] }) => [
      message,
      ...(['added', 'removed'] as const).map(side =>
        words
          .filter(({ kind }) => kind === 'same' || kind === side)
          .map(run => run.text)
          .join(''),
      ),
    ]),
  )
  const all = [...printed]
  const size = all.reduce((sum, each) => sum + each.length, 0)
  let searched = 0
  return text => {
    if (printed.has(text)) return true
    // A text may be printed twice.
    searched += size
    return searched <= maxSearchedCharacters && all.some(each => each.includes(text))
  }
}

const describeTexts = (rule: string, path: string, message: string, words: readonly WordRun[]): Change => ({
  fingerprint: fingerprint([rule, path, words]),
  rule,
  severity: 'warning',
  direction: 'text',
  path,
  message,
  words,
})
