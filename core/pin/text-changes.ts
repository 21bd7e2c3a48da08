/**
 * Adds the texts that made a difference to its changes, unless a change shows them already: what a person approves must be
 * shown, and our diff says only that a schema is written differently if validators ignore what changed.
 */
import type { Change } from '../diff/change.ts'
import { canonicalJson } from '../json/equality.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { diffWords, type WordRun } from '../text/word-diff.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { comparePlacedTexts, type TextDifference } from './declared-data.ts'

/** Returns the locations of both schemas with other texts than before; null if that is not known. */
export function findMovedTexts(old: ManifestTool, now: ManifestTool): readonly TextDifference[] | null {
  const found: TextDifference[] = []
  for (const key of ['inputSchema', 'outputSchema'] as const) {
    const [from, to] = [old[key], now[key]]
    if (from === undefined || to === undefined || canonicalJson(from) === canonicalJson(to)) continue
    const differences = comparePlacedTexts(from, to, key === 'inputSchema')
    if (differences === null) return null
    found.push(...differences)
  }
  return found
}

/** Adds one change with the new texts. */
export function withTexts(changes: readonly Change[], texts: readonly string[]): readonly Change[] {
  const missing = texts.filter(text => !hasText(changes, text))
  if (missing.length === 0) return changes
  const words = [{ kind: 'added' as const, text: missing.join('\n') }]
  return [...changes, describeTexts('text-added', '', 'texts in names and values that were not there', words)]
}

/** Adds a change for each location with other texts than before. */
export function withMovedTexts(
  changes: readonly Change[],
  moved: readonly TextDifference[],
): readonly Change[] {
  const missing = moved.filter(({ before, after }) =>
    [...before.filter(text => !after.includes(text)), ...after.filter(text => !before.includes(text))].some(
      text => !hasText(changes, text),
    ),
  )
  return [
    ...changes,
    ...missing.map(({ path, before, after }) =>
      describeTexts(
        'text-moved',
        path,
        'other texts than before',
        diffWords(before.join('\n'), after.join('\n')),
      ),
    ),
  ]
}

/** Whether a change of a text, or its sentence, has the whole text. */
const hasText = (changes: readonly Change[], text: string) =>
  changes.some(
    ({ message, words = [] }) =>
      message.includes(text) ||
      (['added', 'removed'] as const).some(side =>
        words
          .filter(({ kind }) => kind === 'same' || kind === side)
          .map(run => run.text)
          .join('')
          .includes(text),
      ),
  )

const describeTexts = (rule: string, path: string, message: string, words: readonly WordRun[]): Change => ({
  fingerprint: fingerprint([rule, path, words]),
  rule,
  severity: 'warning',
  direction: 'text',
  path,
  message,
  words,
})
