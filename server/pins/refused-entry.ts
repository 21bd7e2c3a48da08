/** The entry of a refused tool in a list for other clients. */
import { readsAsProse } from '../../core/pin/added-words.ts'
import type { Refusal } from './find-refusal.ts'
import type { Pins } from './source-pins.ts'

/** The part of the pins that a list for other clients needs. */
export type ServedPins = Pick<Pins, 'readCompared'> | null

/** See `Pins.readCompared`; without pins, nothing is refused. */
export const readServed = async <Read>(
  pins: ServedPins,
  read: (refusals: ReadonlyMap<string, Refusal>) => Read,
): Promise<Read> => (pins === null ? read(new Map()) : pins.readCompared(read))

/**
 * Returns the entry of a tool whose call is refused. A model must not read what was not approved, so it has only the
 * reason; and a number for a name that was not approved and is more than a name.
 */
export function toRefusedEntry(
  name: string,
  { reason, isNameApproved, isNamePart = false }: Refusal,
  at: number,
) {
  const isName = isNameApproved === true || !(isNamePart || readsAsProse(name))
  return {
    name: isName ? name : `not_approved_${at + 1}`,
    description: `Not available: its call is refused. ${reason} A person must approve it with Toolscope first.`,
    inputSchema: { type: 'object' },
  }
}
