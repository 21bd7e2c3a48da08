/** Compares what a source lists with its pin, and decides about each difference by the policy. */
import { withoutUndefined } from '../../core/json/json.ts'
import {
  choosePinAction,
  type PinDifference,
  type PinItem,
  type PinnedItem,
  type PinPolicy,
} from '../../core/pin/pin.ts'
import { turns } from '../workers/run-slices.ts'
import { sha256 } from './describe-address.ts'
import type { PresentSource } from './describe-present.ts'
import type { RatedDifference, SourceComparison } from './find-refusal.ts'
import type { PinnedList, RenamedTools } from './renamed-tools.ts'

/** Everything that a comparison depends on, except the policy. */
export interface Observation {
  readonly pinned: readonly PinnedItem[]
  readonly pinnedAs: string | undefined
  readonly present: PresentSource
  readonly list: PinnedList
  /** The same text for the same observation. */
  readonly stamp: string
}

export async function compareSource(
  source: string,
  { pinned, pinnedAs, present, list, stamp }: Observation,
  policy: PinPolicy,
  renamed: RenamedTools,
): Promise<SourceComparison> {
  // Imported late, because our diff takes long to load and most calls need no comparison.
  const { comparePin, definitionText } = await import('../../core/pin/compare-pin.ts')
  const turn = turns()
  const { differences, sameCount } = await comparePin(pinned, present.items, async () => turn())
  const rate = (difference: PinDifference): RatedDifference => {
    const { kind, name, pinnedName = null, before, after, classes } = difference
    const action = pinnedAs === undefined ? policy.unpinned : choosePinAction(classes, policy)
    const now = after === undefined ? null : definitionText(after)
    const refusal = 'It is nested too deeply to be compared, so it cannot be approved.'
    if (now === undefined) return { ...difference, refusal, action: action === 'allow' ? action : 'block' }
    const approved = before === undefined ? null : (definitionText(before) ?? '')
    return {
      ...difference,
      hash: sha256([source, pinnedAs ?? null, kind, name, pinnedName, approved, now]),
      action,
    }
  }
  const rated = differences.map(each => rate(renamed.addClasses(each, list)))
  const byItem = new Map<PinItem, RatedDifference>()
  for (const each of rated) if (each.after !== undefined) byItem.set(each.after, each)
  const fingerprint = sha256([source, pinnedAs ?? null, rated.map(each => each.hash ?? each.name)])
  const facts = withoutUndefined({ pinnedAs })
  return { pinned, present, differences: rated, byItem, sameCount, fingerprint, stamp, ...facts }
}
