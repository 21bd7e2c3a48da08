import type { WireDetail } from '../../../core/api/wire.ts'
import { createStore, useStore } from '../../ui/value-store.ts'

/** Per source. The oldest pin is removed for a new one. */
const maxPins = 50

/** The pinned messages of each source with their texts, which the wire may drop. They last as long as the page. */
const pins = createStore<ReadonlyMap<string, readonly WireDetail[]>>(new Map())

const noPins: readonly WireDetail[] = []

/** Returns the pinned messages of a source in the order of the wire. */
export const usePins = (source: string) => useStore(pins).get(source) ?? noPins

export function togglePin(source: string, detail: WireDetail): void {
  const before = pins.get().get(source) ?? noPins
  const others = before.filter(({ row }) => row.seq !== detail.row.seq)
  const after =
    others.length < before.length
      ? others
      : [...others, detail].slice(-maxPins).sort((a, b) => a.row.seq - b.row.seq)
  pins.set(new Map(pins.get()).set(source, after))
}
