/** The member `pins` of a lock file: what was approved of each source. */
import { z } from 'zod'
import { canonicalJson } from '../json/equality.ts'
import { isObject, type UnknownObject } from '../json/json.ts'
import { type PinnedItem, pinKinds } from './pin.ts'

/** The approved items of each source, by the name of its pin. */
export type LockedPins = ReadonlyMap<string, readonly PinnedItem[]>

// `z.record` would drop members with the name `__proto__`, and so change what was approved.
const object = z.custom<UnknownObject>(isObject, 'must be an object')

const pinnedItem = z.strictObject({
  kind: z.enum(pinKinds),
  name: z.string(),
  approvedAt: z.string(),
  by: z.string().exactOptional(),
  definition: object,
})

const entry = z
  .strictObject({ items: z.array(pinnedItem) })
  .refine(
    ({ items }) => items.filter(({ kind }) => kind === 'server').length === 1,
    'must have exactly one item of the kind "server"',
  )

/** Returns a name of the file; `…` for one that may be a sentence: other clients and their models receive the mistakes. */
export const nameOrNothing = (name: string) => (/^[\w.@-]{1,20}$/.test(name) ? name : '…')

/** Returns the pins, or the first location that is not as Toolscope writes it. */
export function readLockedPins(value: unknown): { readonly pins: LockedPins } | { readonly mistake: string } {
  if (value === undefined) return { pins: new Map() }
  if (!isObject(value)) return { mistake: 'pins: must be an object' }
  const pins = new Map<string, readonly PinnedItem[]>()
  for (const [name, given] of Object.entries(value)) {
    const parsed = entry.safeParse(given)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      // The message has the names of unknown members.
      const fault = issue?.code === 'unrecognized_keys' ? 'it has an unknown member' : issue?.message
      const path = ['pins', name, ...(issue?.path ?? [])].map(step => nameOrNothing(String(step)))
      return { mistake: `${path.join('.')}: ${fault}` }
    }
    pins.set(name, parsed.data.items)
  }
  return { pins }
}

/** Returns the member as a lock file has it: items sorted by kind and name, so that a diff of the file is short. */
export function writeLockedPins(pins: LockedPins): UnknownObject {
  const rank = ({ kind }: PinnedItem) => pinKinds.indexOf(kind)
  return Object.fromEntries(
    [...pins].map(([name, items]) => [
      name,
      {
        items: items
          .map(item => ({ item, text: canonicalJson(item.definition) }))
          .toSorted(
            (a, b) =>
              rank(a.item) - rank(b.item) || compare(a.item.name, b.item.name) || compare(a.text, b.text),
          )
          .map(({ item }) => item),
      },
    ]),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
