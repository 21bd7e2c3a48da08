/**
 * The pin of a source: what a user approved of it, item by item, and how a later difference is classed. The classes are
 * explained in docs/pin.md.
 */
import type { Change } from '../diff/change.ts'

/**
 * The classes of a difference, the worst first. An item may be in several; the strictest policy of them applies.
 *
 * - `other-server`: another command or address under the name of the pin
 * - `lowered-safety`: no longer read-only, or now destructive, open-world or not idempotent
 * - `wider-input`: it takes data that was not approved: a new property, another type, free text in place of an enum
 * - `changed-text`: words that a model or a user reads changed: descriptions, names, values of an enum, `_meta`
 * - `undecided`: a part was rewritten, neither a proof nor a counterexample was found, or the two cannot be compared
 * - `new`: a tool, prompt, resource, skill or agent that was not approved
 * - `breaking`: calls that were valid are refused, or results have another shape
 * - `removed`: it was approved and is no longer listed
 * - `compatible`: only plain changes, which break no caller
 * - `same`: renamed with the same content, reordered, or written differently with the same meaning
 */
export const pinClasses = [
  'other-server',
  'lowered-safety',
  'wider-input',
  'changed-text',
  'undecided',
  'new',
  'breaking',
  'removed',
  'compatible',
  'same',
] as const
export type PinClass = (typeof pinClasses)[number]

/** `allow`: it is said, and the call goes on · `ask`: a person accepts it first · `block`: only a new pin allows it. */
export const pinActions = ['allow', 'ask', 'block'] as const
export type PinAction = (typeof pinActions)[number]

/** The action for each class, and with a source that has no pin while the configuration wants one. */
export type PinPolicy = Readonly<Record<PinClass | 'unpinned', PinAction>>

export const defaultPinPolicy: PinPolicy = {
  'other-server': 'ask',
  'lowered-safety': 'ask',
  'wider-input': 'ask',
  'changed-text': 'ask',
  undecided: 'ask',
  new: 'ask',
  breaking: 'allow',
  removed: 'allow',
  compatible: 'allow',
  same: 'allow',
  unpinned: 'allow',
}

/** `server`: the command or address, what the server calls itself, and its instructions. It exists once. */
export const pinKinds = ['server', 'tool', 'prompt', 'resource', 'template', 'skill', 'agent'] as const
export type PinKind = (typeof pinKinds)[number]

/** A part of a source that is approved by itself. */
export interface PinItem {
  readonly kind: PinKind
  /** The name of a tool, prompt or agent, the URI of the others, `''` for the server. Unique in its kind, except tools. */
  readonly name: string
  /** Everything that the source says about it, except the name. Hostile. */
  readonly definition: { readonly [field: string]: unknown }
}

/** An approved item, as the lock file has it. */
export interface PinnedItem extends PinItem {
  /** When it was approved. ISO 8601, UTC. */
  readonly approvedAt: string
  /** The person who approved it, if a confirmed one did. */
  readonly by?: string
}

/** An item that is not as it was approved. */
export interface PinDifference {
  /** Both identify it. `name` is that of now, or of the pin if the item was removed. */
  readonly kind: PinKind
  readonly name: string
  /** The approved name of a renamed item. */
  readonly pinnedName?: string
  /** Never empty; the worst first. */
  readonly classes: readonly [PinClass, ...PinClass[]]
  /** The differences of our diff; empty for an added or removed item. */
  readonly changes: readonly Change[]
  /** The approved item; absent if it is new. */
  readonly before?: PinnedItem
  /** The item of now; absent if it was removed. */
  readonly after?: PinItem
}

/** Returns the classes of a difference in their order, each once. Without any, it is `same`. */
export function sortClasses(classes: readonly PinClass[]): PinDifference['classes'] {
  const [first = 'same', ...others] = pinClasses.filter(each => classes.includes(each))
  // A harmless class adds nothing to another one.
  return [first, ...others.filter(each => each !== 'same' && each !== 'compatible')]
}

/** Returns the strictest action of the classes. */
export function choosePinAction(classes: readonly PinClass[], policy: PinPolicy): PinAction {
  const rank = (action: PinAction) => pinActions.indexOf(action)
  return classes
    .map(each => policy[each])
    .reduce((strictest, action) => (rank(action) > rank(strictest) ? action : strictest), 'allow')
}

const reasons: Readonly<Record<PinClass, string>> = {
  'other-server': 'it is started or reached in another way than the approved one',
  'lowered-safety': 'it states less safety than was approved',
  'wider-input': 'it takes data that was not approved',
  'changed-text': 'its texts, defaults or hints changed, or what they are about',
  undecided: 'a part of it was rewritten, and only reading it tells what that means',
  new: 'it was not approved',
  breaking: 'its input or its output no longer fits',
  removed: 'it is no longer listed',
  compatible: 'it changed in a compatible way',
  same: 'it is written differently',
}

/** Returns one sentence for people and models, without any text of the source. */
export function describeClasses(classes: readonly PinClass[], kind: PinKind): string {
  const subject = kind === 'server' ? 'Its server is not as it was approved' : 'It is not as it was approved'
  return `${subject}: ${classes.map(each => reasons[each]).join('; ')}.`
}
