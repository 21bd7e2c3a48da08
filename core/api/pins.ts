/** Pins: which sources were approved, what differs from it, and the approval of what was shown. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { pinActions, pinClasses, pinKinds } from '../pin/pin.ts'
import { changeShape } from '../report/diff-json.ts'
import { appError } from '../tool/shapes.ts'
import { audited, defineEndpoints } from './endpoint.ts'

const pinClass = z.enum(pinClasses)
const pinAction = z.enum(pinActions)

/**
 * - `unpinned`: nothing of it was approved; its calls are not checked, unless `blocked` has a row
 * - `same`: everything is as approved
 * - `differs`: something differs, and the policy allows it
 * - `blocked`: some calls are refused; `blocked` lists their tools
 * - `unread`: the lock file or the list of the source cannot be read, so every call of it is refused; `reason` says why
 */
const pinStates = ['unpinned', 'same', 'differs', 'blocked', 'unread'] as const

/** An entry of the catalog whose calls are refused. */
const blockedEntry = z.object({
  /** The reference in the catalog: `acme/greet`. */
  ref: z.string(),
  class: pinClass.exactOptional(),
  /** One sentence that says why, for people and models: `its description is not the approved one`. No hostile text. */
  reason: z.string(),
})

const sourcePin = z.object({
  source: z.string(),
  state: z.enum(pinStates),
  /** When the newest part was approved. ISO 8601, UTC; absent without a pin. */
  approvedAt: z.string().exactOptional(),
  /** The confirmed person who approved the newest part. */
  by: z.string().exactOptional(),
  /** How many items differ, by their worst class. Classes without an item are absent. */
  counts: z.partialRecord(pinClass, z.number()),
  /** Every entry of the source if the server itself is blocked. */
  blocked: list(blockedEntry),
  /** A sentence for the states `unread`, and `blocked` without a pin. */
  reason: z.string().exactOptional(),
})
export type SourcePin = z.infer<typeof sourcePin>

const pinList = z.object({
  /** The absolute path of the lock file, which may not exist yet. */
  file: z.string(),
  /** Why the lock file cannot be used: it is broken, unreadable or from a newer version. Every source is then `unread`. */
  problem: appError.exactOptional(),
  /** The policy of toolscope.json for each class; defaults included. `unpinned` is about sources without a pin. */
  policy: z.record(z.enum([...pinClasses, 'unpinned']), pinAction),
  /** In the order of the catalog. */
  sources: list(sourcePin),
  /** Names of pins in the lock file that belong to no source of the catalog. */
  unused: list(z.string()),
})
export type PinList = z.infer<typeof pinList>

const pinnedDefinition = z.record(z.string(), z.unknown())

const reviewItem = z.object({
  /**
   * Identifies exactly this difference: the approved definition and the one of now, SHA-256 in 64 hex digits. An approval
   * names it, so it covers only what was shown. Absent if the item cannot be approved; `refusal` says why.
   */
  hash: z.string().exactOptional(),
  refusal: z.string().exactOptional(),
  kind: z.enum(pinKinds),
  /** The name of now, or the approved one of a removed item; `''` for the server. Hostile. */
  name: z.string(),
  /** The approved name of a renamed item. */
  pinnedName: z.string().exactOptional(),
  /** Its reference in the catalog; absent for the server, agents and what was removed. */
  ref: z.string().exactOptional(),
  /** Never empty; the worst first. */
  classes: list(pinClass),
  /** The strictest of the policy. */
  action: pinAction,
  /** Our differences, with word runs for texts; empty for what is new or was removed. */
  changes: list(changeShape),
  /** The approved definition; absent for what is new. */
  before: pinnedDefinition.exactOptional(),
  /** The definition of now, as the source gives it. Hostile. Absent for what was removed. */
  after: pinnedDefinition.exactOptional(),
  /** The time and the confirmed person of the approval of `before`. */
  approvedAt: z.string().exactOptional(),
  by: z.string().exactOptional(),
})
export type ReviewItem = z.infer<typeof reviewItem>

const pinReview = z.object({
  source: z.string(),
  /** False: nothing was approved yet, and every item of the source is `new`. */
  pinned: z.boolean(),
  /** The name of its entry in the lock file, if it was found by its command or address under another name. */
  pinnedAs: z.string().exactOptional(),
  /** The items that differ, what the policy blocks first. Empty if all is as approved. */
  items: list(reviewItem),
  /** How many items are as approved. */
  sameCount: z.number(),
  /** Identifies the whole review: changes when any item does. For "approve all". */
  fingerprint: z.string(),
})
export type PinReview = z.infer<typeof pinReview>

const params = z.object({ name: z.string() })

export const pinEndpoints = defineEndpoints({
  'GET /api/pins': {
    right: 'read',
    about: 'Which sources are approved, and which calls are refused because something is not as approved',
    answer: pinList,
  },
  'GET /api/sources/{name}/pin': {
    right: 'read',
    about: 'What of a source is not as approved; for a source without a pin, everything',
    params,
    answer: pinReview,
  },
  'PUT /api/sources/{name}/pin': audited({
    right: 'sources',
    about:
      'Approves the items with these hashes, or all of the review with this fingerprint. Refused as `pin-changed` if one of them is no longer what was shown; then nothing is approved',
    params,
    body: z
      .object({
        hashes: z
          .array(z.string().regex(/^[0-9a-f]{64}$/))
          .min(1)
          .max(100_000)
          .optional(),
        fingerprint: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional(),
      })
      .refine(
        ({ hashes, fingerprint }) => (hashes === undefined) !== (fingerprint === undefined),
        'give "hashes" or "fingerprint"',
      ),
    target: ({ params, body: { hashes, fingerprint } }) =>
      `${params.name} ${fingerprint === undefined ? `hashes=${hashes?.length ?? 0}` : 'all'}`,
    answer: pinReview,
  }),
  'DELETE /api/sources/{name}/pin': audited({
    right: 'sources',
    about: 'Removes the pin of a source: its calls are no longer checked. Returns the list',
    params,
    target: ({ params }) => params.name,
    answer: pinList,
  }),
})
