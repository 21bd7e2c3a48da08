/** The difference of two texts as runs of words: Myers' algorithm with a bound on how different they may be. */
import type { Change } from '../change.ts'

export type WordRun = NonNullable<Change['words']>[number]

/** Words of one text that are compared; the rest counts as changed. */
const mostWords = 20_000
/** Insertions and deletions that are looked for; texts that differ more are shown as replaced. */
const mostEdits = 600

/** Runs that, without the removed ones, spell `after`, and without the added ones `before`. */
export function diffWords(before: string, after: string): WordRun[] {
  const old = before.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  const young = after.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  let start = 0
  while (start < old.length && start < young.length && old[start] === young[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < young.length - start &&
    old[old.length - 1 - end] === young[young.length - 1 - end]
  )
    end++
  const middle = edits(old.slice(start, old.length - end), young.slice(start, young.length - end))
  return joined([
    ...old.slice(0, start).map(text => ({ kind: 'same' as const, text })),
    ...middle,
    ...old.slice(old.length - end).map(text => ({ kind: 'same' as const, text })),
  ])
}

function edits(old: readonly string[], young: readonly string[]): WordRun[] {
  if (old.length === 0 || young.length === 0) return [...all('removed', old), ...all('added', young)]
  const trace = old.length > mostWords || young.length > mostWords ? undefined : search(old, young)
  if (!trace) return [...all('removed', old), ...all('added', young)]
  const runs: WordRun[] = []
  let x = old.length
  let y = young.length
  for (let round = trace.length - 1; round >= 0; round--) {
    const reach = trace[round] ?? new Int32Array()
    const diagonal = x - y
    const down =
      diagonal === -round || (diagonal !== round && at(reach, diagonal - 1) < at(reach, diagonal + 1))
    const from = down ? diagonal + 1 : diagonal - 1
    const fromX = round === 0 ? 0 : at(reach, from)
    const fromY = round === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY && x > 0 && y > 0 && old[x - 1] === young[y - 1]) {
      runs.push({ kind: 'same', text: old[x - 1] ?? '' })
      x--
      y--
    }
    if (round === 0) break
    if (down) runs.push({ kind: 'added', text: young[y - 1] ?? '' })
    else runs.push({ kind: 'removed', text: old[x - 1] ?? '' })
    x = fromX
    y = fromY
  }
  return runs.reverse()
}

/** For each number of edits, how far each diagonal reached before it; undefined when there are too many. */
function search(old: readonly string[], young: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = []
  const reach = new Int32Array(2 * mostEdits + 5).fill(-1)
  reach[centre + 1] = 0
  for (let round = 0; round <= Math.min(mostEdits, old.length + young.length); round++) {
    trace.push(reach.slice())
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      const down =
        diagonal === -round || (diagonal !== round && at(reach, diagonal - 1) < at(reach, diagonal + 1))
      let x = down ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1
      while (x < old.length && x - diagonal < young.length && old[x] === young[x - diagonal]) x++
      reach[centre + diagonal] = x
      if (x >= old.length && x - diagonal >= young.length) return trace
    }
  }
  return undefined
}

/** Where diagonal 0 stands in the array. */
const centre = mostEdits + 2
const at = (reach: Int32Array, diagonal: number) => reach[centre + diagonal] ?? -1

const all = (kind: WordRun['kind'], words: readonly string[]): WordRun[] =>
  words.length === 0 ? [] : [{ kind, text: words.join('') }]

/** Neighbours of one kind as one run; a lone space between two changes belongs to them. */
function joined(runs: readonly WordRun[]): WordRun[] {
  const result: { kind: WordRun['kind']; text: string }[] = []
  for (const { kind, text } of runs) {
    const last = result.at(-1)
    if (last?.kind === kind) last.text += text
    else result.push({ kind, text })
  }
  return result
}
