/** The difference of two texts as runs of words. */
import { diffArrays } from 'diff'
import type { Change } from '../change.ts'

export type WordRun = NonNullable<Change['words']>[number]

/** Words between the common start and the common end that are compared; longer texts are shown as replaced. */
const maxWords = 20_000
/** Insertions and deletions that are looked for; texts that differ more are shown as replaced. */
const maxEdits = 600

/**
 * Runs that spell `after` without the removed ones, and `before` without the added ones. No two neighbours are of one
 * kind.
 */
export function diffWords(before: string, after: string): WordRun[] {
  const [beforeWords, afterWords] = [splitWords(before), splitWords(after)]
  const start = countEqual(beforeWords, afterWords)
  const end = countEqual(beforeWords.slice(start).reverse(), afterWords.slice(start).reverse())
  const same = (words: readonly string[]): WordRun => ({ kind: 'same', text: words.join('') })
  return joinRuns([
    same(beforeWords.slice(0, start)),
    ...diffMiddle(
      beforeWords.slice(start, beforeWords.length - end),
      afterWords.slice(start, afterWords.length - end),
    ),
    same(beforeWords.slice(beforeWords.length - end)),
  ])
}

const splitWords = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

function countEqual(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((word, at) => word !== right[at])
  return index < 0 ? left.length : index
}

function diffMiddle(before: string[], after: string[]): WordRun[] {
  const isSmall = before.length <= maxWords && after.length <= maxWords
  const parts = isSmall ? diffArrays(before, after, { maxEditLength: maxEdits }) : undefined
  if (parts === undefined)
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ]
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}

function joinRuns(runs: readonly WordRun[]): WordRun[] {
  const result: { kind: WordRun['kind']; text: string }[] = []
  for (const { kind, text } of runs) {
    const last = result.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') result.push({ kind, text })
  }
  return result
}
