/** The difference of two texts as runs of words: compares lines first, then words within changed lines. */
import { diffArrays } from 'diff'

export interface WordRun {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The limit of units to compare between the common start and end; longer texts are shown as replaced. */
const maxUnits = 20_000
/** The limit of insertions and deletions; texts with more are shown as replaced. */
const maxEdits = 600
/** Lines that share less than this part of their words are shown as replaced, because a mix of both is hard to read. */
const minCommonShare = 0.4
/** Unchanged text with fewer letters between two changes becomes part of the change. */
const minSameLetters = 4

/**
 * Returns runs that give `after` without the removed ones, and `before` without the added ones. Two neighbours never
 * have the same kind; in a replacement, the removed words come first.
 */
export function diffWords(before: string, after: string): WordRun[] {
  const runs = groupIntoBlocks(diffUnits(splitLines(before), splitLines(after))).flatMap(block =>
    'same' in block ? [{ kind: 'same' as const, text: block.same }] : diffBlock(block),
  )
  return joinRuns(runs)
}

const splitLines = (text: string) => text.match(/[^\n]*\n|[^\n]+/g) ?? []
const splitWords = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** Text that both sides share, or text of one side that replaces text of the other. */
type WordBlock = { readonly same: string } | { readonly removed: string; readonly added: string }

function diffBlock({ removed, added }: { readonly removed: string; readonly added: string }): WordRun[] {
  const blocks = absorbShort(groupIntoBlocks(diffUnits(splitWords(removed), splitWords(added))))
  const common = blocks.reduce((sum, block) => sum + ('same' in block ? letterCount(block.same) : 0), 0)
  const isMixed = common < minCommonShare * Math.min(letterCount(removed), letterCount(added))
  return (isMixed ? [{ removed, added }] : blocks).flatMap(toWordRuns)
}

const toWordRuns = (block: WordBlock): WordRun[] =>
  'same' in block
    ? [{ kind: 'same', text: block.same }]
    : [
        { kind: 'removed', text: block.removed },
        { kind: 'added', text: block.added },
      ]

const letterCount = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Merges a blank or a short word between two replacements into them, because readers see phrases. */
function absorbShort(blocks: readonly WordBlock[]): WordBlock[] {
  const result: WordBlock[] = []
  for (const [at, block] of blocks.entries()) {
    const last = result.at(-1)
    if (last === undefined || 'same' in last) {
      result.push(block)
      continue
    }
    const next = blocks[at + 1]
    const isReplaced = (each: WordBlock | undefined) =>
      each !== undefined && !('same' in each) && each.removed !== '' && each.added !== ''
    if (!('same' in block)) result[result.length - 1] = joined(last, block)
    else if (isReplaced(last) && isReplaced(next) && letterCount(block.same) < minSameLetters)
      result[result.length - 1] = joined(last, { removed: block.same, added: block.same })
    else result.push(block)
  }
  return result
}

const joined = (
  left: { readonly removed: string; readonly added: string },
  right: { readonly removed: string; readonly added: string },
): WordBlock => ({ removed: left.removed + right.removed, added: left.added + right.added })

/** Groups the units of both sides into blocks, in order. */
function groupIntoBlocks(parts: readonly WordRun[]): WordBlock[] {
  const blocks: WordBlock[] = []
  for (const { kind, text } of parts) {
    if (text === '') continue
    const last = blocks.at(-1)
    if (kind === 'same') blocks.push({ same: text })
    else if (last === undefined || 'same' in last) blocks.push({ removed: '', added: '', [kind]: text })
    else blocks[blocks.length - 1] = { ...last, [kind]: last[kind] + text }
  }
  return blocks
}

function diffUnits(before: readonly string[], after: readonly string[]): WordRun[] {
  const start = countEqual(before, after)
  const [left, right] = [before.slice(start), after.slice(start)]
  const end = countEqual(left.toReversed(), right.toReversed())
  const same = (units: readonly string[]): WordRun => ({ kind: 'same', text: units.join('') })
  return [
    same(before.slice(0, start)),
    ...diffMiddle(left.slice(0, left.length - end), right.slice(0, right.length - end)),
    same(left.slice(left.length - end)),
  ]
}

function countEqual(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((unit, at) => unit !== right[at])
  return index < 0 ? left.length : index
}

function diffMiddle(before: string[], after: string[]): WordRun[] {
  const isSmall = before.length <= maxUnits && after.length <= maxUnits
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
