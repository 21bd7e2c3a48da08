/** The difference of two texts as runs of words: lines that stayed are found first, then words within what changed. */
import { diffArrays } from 'diff'

export interface WordRun {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Units between the common start and the common end that are compared; longer texts are shown as replaced. */
const maxUnits = 20_000
/** Insertions and deletions that are looked for; texts that differ more are shown as replaced. */
const maxEdits = 600
/** Lines that have less than this share of their words in common are shown as replaced: mixed, they cannot be read. */
const minCommonShare = 0.4
/** Unchanged text between two changes that has fewer letters is part of the change. */
const minSameLetters = 4

/**
 * Runs that spell `after` without the removed ones, and `before` without the added ones. No two neighbours are of one
 * kind; of what was replaced, the removed words come first.
 */
export function diffWords(before: string, after: string): WordRun[] {
  const runs = blocksOf(diffUnits(splitLines(before), splitLines(after))).flatMap(block =>
    'same' in block ? [{ kind: 'same' as const, text: block.same }] : diffBlock(block),
  )
  return joinRuns(runs)
}

const splitLines = (text: string) => text.match(/[^\n]*\n|[^\n]+/g) ?? []
const splitWords = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** Text that both sides have, or what the one has in place of what the other has. */
type Block = { readonly same: string } | { readonly removed: string; readonly added: string }

function diffBlock({ removed, added }: { readonly removed: string; readonly added: string }): WordRun[] {
  const blocks = absorbShort(blocksOf(diffUnits(splitWords(removed), splitWords(added))))
  const common = blocks.reduce((sum, block) => sum + ('same' in block ? letterCount(block.same) : 0), 0)
  const isMixed = common < minCommonShare * Math.min(letterCount(removed), letterCount(added))
  return (isMixed ? [{ removed, added }] : blocks).flatMap(runsOf)
}

const runsOf = (block: Block): WordRun[] =>
  'same' in block
    ? [{ kind: 'same', text: block.same }]
    : [
        { kind: 'removed', text: block.removed },
        { kind: 'added', text: block.added },
      ]

const letterCount = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** A blank or a short word between two replaced ones is replaced with them: a reader sees phrases. */
function absorbShort(blocks: readonly Block[]): Block[] {
  const result: Block[] = []
  for (const [at, block] of blocks.entries()) {
    const last = result.at(-1)
    if (last === undefined || 'same' in last) {
      result.push(block)
      continue
    }
    const next = blocks[at + 1]
    const isReplaced = (each: Block | undefined) =>
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
): Block => ({ removed: left.removed + right.removed, added: left.added + right.added })

/** The units of both sides as blocks, in order. */
function blocksOf(parts: readonly WordRun[]): Block[] {
  const blocks: Block[] = []
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
