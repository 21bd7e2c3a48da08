/** Finds out why an entry of a source must not be called, in the comparison of the source with its pin. */
import { canonicalJson } from '../../core/json/equality.ts'
import { isObject, type UnknownObject } from '../../core/json/json.ts'
import { countWords } from '../../core/pin/added-words.ts'
import type { PinAction, PinDifference, PinItem, PinnedItem } from '../../core/pin/pin.ts'
import { skillFolder } from '../../core/tool/skill.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { PresentSource } from './describe-present.ts'

/** A difference with the decision of the policy. */
export interface RatedDifference extends PinDifference {
  /** SHA-256 of what was approved and what is there now; absent if it cannot be approved. */
  readonly hash?: string
  /** Why it cannot be approved. */
  readonly refusal?: string
  readonly action: PinAction
}

/** A source compared with its pin. Without a pin, every item is new. */
export interface SourceComparison {
  /** The name of its entry in the lock; absent without a pin. */
  readonly pinnedAs?: string
  readonly pinned: readonly PinnedItem[]
  readonly present: PresentSource
  readonly differences: readonly RatedDifference[]
  readonly byItem: ReadonlyMap<PinItem, RatedDifference>
  readonly sameCount: number
  /** SHA-256 of all differences. */
  readonly fingerprint: string
  /** Equal as long as nothing that was compared has changed. */
  readonly stamp: string
}

/** Why an entry of the catalog is not called. */
export interface Refusal {
  /** One sentence without text of the source. */
  readonly reason: string
  readonly difference?: RatedDifference
  /** The pin has the entry under this name, so the name is not a text that was never approved. */
  readonly isNameApproved?: boolean
  /** The names of its source that were not approved are a text together. */
  readonly isNamePart?: boolean
}

/** The entry of a call. */
interface WantedEntry {
  /** Its index in the newest list; undefined if that does not have it. */
  readonly index: number | undefined
  /** Whether its caller found it in another list, and as what. */
  readonly isOther: boolean
  readonly called: PinItem | undefined
  /** The address that a resource or an expanded template reads. */
  readonly uri?: string | undefined
}

/** @param refused the refusal of a difference by the policy; undefined if it is allowed or accepted */
export function findRefusal(
  { index = -1, isOther, called, uri }: WantedEntry,
  comparison: SourceComparison,
  refused: (difference: RatedDifference | undefined) => Refusal | undefined,
): Refusal | undefined {
  const { present, byItem, pinned, pinnedAs } = comparison
  const item = present.entries[index]
  if (item === undefined) return { reason: 'Its source no longer lists it.' }
  const difference = byItem.get(item)
  const refusal =
    refused(byItem.get(present.server)) ??
    refused(difference) ??
    findNamesakeRefusal(item, comparison, refused) ??
    findAgentRefusal(item, comparison, refused) ??
    (present.unread.has(item.kind) ? unreadList : undefined) ??
    findOtherRefusal(item, comparison, refused) ??
    findReadRefusal(item, uri, comparison, refused) ??
    (isOther && ![item, ...pinned].some(each => isSameItem(each, called)) ? changedMeanwhile : undefined)
  const isNew = difference !== undefined && (difference.before === undefined || 'pinnedName' in difference)
  return refusal && { ...refusal, isNameApproved: pinnedAs !== undefined && !isNew }
}

export const unreadList: Refusal = {
  reason: 'Its list could not be read, so it cannot be compared with its pin.',
}

/** The server chooses between two lists: the input was made for the one, and the other is as approved. */
export const changedMeanwhile: Refusal = {
  reason: 'It changed after its caller looked it up: look at it again.',
}

const isSameItem = (item: PinItem, called: PinItem | undefined) =>
  item.kind === called?.kind &&
  item.name === called.name &&
  canonicalJson(item.definition) === canonicalJson(called.definition)

/** The source chooses which of several entries of one name a call means. */
function findNamesakeRefusal(
  item: PinItem,
  { present: { namesakes }, byItem }: SourceComparison,
  refused: (difference: RatedDifference | undefined) => Refusal | undefined,
): Refusal | undefined {
  const refusals = (namesakes.get(item) ?? []).map(each => refused(byItem.get(each)))
  const refusal = refusals.find(each => each !== undefined)
  return refusal && { ...refusal, reason: 'Another entry of its name is not as it was approved.' }
}

/** The program of an agent's tool receives the agent's variables: what a caller gives, the environment has, or the default. */
function findAgentRefusal(
  { kind, definition }: PinItem,
  { present: { agents, environmentValues }, byItem }: SourceComparison,
  refused: (difference: RatedDifference | undefined) => Refusal | undefined,
): Refusal | undefined {
  const owner = kind === 'tool' && isObject(definition.extra) ? definition.extra.agentName : undefined
  const agent = owner === undefined ? undefined : agents.find(({ name }) => name === owner)
  const difference = agent && byItem.get(agent)
  const given = (agent && environmentValues.get(agent)) ?? []
  const [approved, now] = [difference?.before, agent].map(each => listVariables(each, given))
  // Two of them may be one variable of the program (`mode` and `MODE`): the last one counts.
  const refusal = canonicalJson(now) === canonicalJson(approved) ? undefined : refused(difference)
  return refusal && { ...refusal, reason: 'Its agent has other variables than were approved.' }
}

/** @param given names of variables with a value of the environment, which replaces any default */
function listVariables(agent: PinItem | undefined, given: readonly string[]): readonly unknown[] {
  const variables = agent?.definition.variables
  return (Array.isArray(variables) ? variables : []).map(({ name, default: value }: UnknownObject) =>
    value === undefined || given.includes(String(name)) ? [name] : [name, value],
  )
}

/** A template, or a resource in the folder of a skill, could read what is refused under its own name. */
function findReadRefusal(
  item: PinItem,
  uri: string | undefined,
  { present: { entries }, byItem }: SourceComparison,
  refused: (difference: RatedDifference | undefined) => Refusal | undefined,
): Refusal | undefined {
  if (uri === undefined) return undefined
  const isRead = ({ kind, name }: PinItem) =>
    kind === 'resource' ? name === uri : kind === 'skill' && uri.startsWith(skillFolder(name) ?? name)
  return entries.some(each => each !== item && isRead(each) && refused(byItem.get(each)) !== undefined)
    ? { reason: 'What it reads is listed elsewhere too, and is not as it was approved there.' }
    : undefined
}

/** A tool that calls others could call a refused one; one that a refused tool calls would be called by that. */
function findOtherRefusal(
  item: PinItem,
  { present: { calling }, byItem }: SourceComparison,
  refused: (difference: RatedDifference | undefined) => Refusal | undefined,
): Refusal | undefined {
  if (item.kind !== 'tool' || calling.called.length === 0) return undefined
  const others = calling.callers.includes(item)
    ? calling.called
    : calling.callers.filter(({ name }) => name === item.definition.calledBy)
  return others.some(other => refused(byItem.get(other)) !== undefined)
    ? { reason: 'Another tool of its server, through which calls pass, is not as it was approved.' }
    : undefined
}

/** More words in the names of a source that were not approved may be a sentence: a list gives them one after another. */
const maxNewWords = 8

/** Marks the refusals of a source whose names together could be read as a sentence. */
export function markNameParts(
  refused: ReadonlyMap<Pick<Tool, 'ref' | 'name' | 'kind'>, Refusal>,
): ReadonlyMap<string, Refusal> {
  // Only tools are listed for other clients.
  const words = [...refused]
    .filter(([{ kind }, { isNameApproved }]) => kind === undefined && isNameApproved !== true)
    .reduce((sum, [{ name }]) => sum + countWords(name), 0)
  const isNamePart = words > maxNewWords
  return new Map(
    [...refused].map(([{ ref }, refusal]) => [ref, isNamePart ? { ...refusal, isNamePart } : refusal]),
  )
}
