/**
 * Compares what a source lists now with what was approved, and classes each difference: by our diff and its verdicts on
 * all changes of an item together, and by the words and the data that are new in it.
 */
import type { DiffSide } from '../diff/change.ts'
import { diffManifests } from '../diff/diff-manifests.ts'
import { matchTools } from '../diff/match-tools.ts'
import { canonicalJson } from '../json/equality.ts'
import { isDeeperThan, isObject, own } from '../json/json.ts'
import { groupBy } from '../lists.ts'
import { isSchema } from '../schema/schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import { surfaceEntries } from '../tool/surface.ts'
import type { JsonSchema, ManifestPrompt, ManifestTool, Surface } from '../tool/tool.ts'
import {
  type AddedWords,
  countWords,
  deceives,
  findAddedWords,
  readsAsProse,
  weighWords,
} from './added-words.ts'
import { classifyChange } from './classify-change.ts'
import { type ContentsComparison, compareFields, compareOtherFields } from './compare-fields.ts'
import {
  type PinClass,
  type PinDifference,
  type PinItem,
  type PinKind,
  type PinnedItem,
  sortClasses,
} from './pin.ts'
import { compareParts, type PartComparison } from './plain-changes.ts'
import { listDeclaredData } from './schema-parts.ts'
import { withRewrittenParts, withTexts } from './text-changes.ts'

/**
 * Steps of each kind of proof about one source; what is not decided within them is `undecided`. Fifty alternatives that all
 * change block the thread for 0.5 to 1.5 s with these. Ten times as many decide no more real changes.
 */
const maxSteps = 500_000
const minItemSteps = 50_000
/** A deeper definition cannot be compared, so it cannot be approved. */
const maxDefinitionLevels = 200
/** Our diff lists at most 300 changes of a schema, and an item with as many is not read change by change. */
const maxChanges = 200
/** More new words in all items of a source may be a sentence that was spread over them. */
const maxSourceWords = 24

export interface PinComparison {
  /** In the order of the present list, then what was removed. */
  readonly differences: readonly PinDifference[]
  readonly sameCount: number
}

/** Compares the items. Awaits `pause` after each changed one. Never rejects: what cannot be compared is `undecided`. */
export async function comparePin(
  pinned: readonly PinnedItem[],
  present: readonly PinItem[],
  pause: () => Promise<void> = async () => {},
): Promise<PinComparison> {
  const { changed, added, removed, sameCount } = matchItems(pinned, present)
  const drafts: DifferenceDraft[] = []
  const steps = Math.max(minItemSteps, Math.floor(maxSteps / Math.max(1, changed.length)))
  for (const pair of changed) {
    drafts.push(await comparePair(pair, steps))
    await pause()
  }
  const isSpread = drafts.reduce((sum, { words }) => sum + words.words, 0) > maxSourceWords
  const differences = [
    ...drafts.map(({ words, ...draft }) => {
      const isPart = isSpread && words.words > 0
      return {
        ...draft,
        classes: sortClasses([...draft.classes, ...(isPart ? ['changed-text' as const] : [])]),
        // A person approves only what is shown.
        changes: isPart || words.isProse ? withTexts(draft.changes, words.texts) : draft.changes,
      }
    }),
    ...added.map(after => ({
      kind: after.kind,
      name: after.name,
      classes: ['new'] as const,
      changes: [],
      after,
    })),
    ...removed.map(before => ({
      kind: before.kind,
      name: before.name,
      classes: ['removed'] as const,
      changes: [],
      before,
    })),
  ]
  const position = new Map(present.map((item, at) => [item, at]))
  const at = ({ after }: PinDifference) => (after && position.get(after)) ?? present.length
  return { differences: differences.toSorted((a, b) => at(a) - at(b)), sameCount }
}

interface ItemPair {
  readonly before: PinnedItem
  readonly after: PinItem
  /** How the name changed; `guessed`: the content changed too, so it may be another item. */
  readonly rename?: 'same content' | 'guessed'
}

interface DifferenceDraft extends PinDifference {
  readonly words: AddedWords
}

interface ItemMatching {
  readonly changed: readonly ItemPair[]
  readonly added: readonly PinItem[]
  readonly removed: readonly PinnedItem[]
  readonly sameCount: number
}

/** Matches items by name, then by content: a name that was approved always means the approved item. */
function matchItems(pinned: readonly PinnedItem[], present: readonly PinItem[]): ItemMatching {
  const texts = new Map<PinItem, string>()
  for (const item of [...pinned, ...present]) {
    const text = definitionText(item)
    if (text !== undefined) texts.set(item, text)
  }
  const areSame = (a: PinItem, b: PinItem) => texts.get(a) !== undefined && texts.get(a) === texts.get(b)
  const open = groupBy(pinned, toKey)
  const changed: ItemPair[] = []
  const added: PinItem[] = []
  let sameCount = 0
  for (const [key, items] of groupBy(present, toKey)) {
    const approved = open.get(key) ?? []
    // Two tools of one name may change places.
    const different = items.filter(item => {
      const at = approved.findIndex(each => areSame(each, item))
      if (at >= 0) approved.splice(at, 1)
      return at < 0
    })
    sameCount += items.length - different.length
    for (const after of different) {
      const before = approved.shift()
      if (before === undefined) added.push(after)
      else changed.push({ before, after })
    }
  }
  const removed = [...open.values()].flat()
  const renamed = matchRenamed(removed, added, areSame)
  const isMatched = new Set<PinItem>(renamed.flatMap(({ before, after }) => [before, after]))
  return {
    changed: [...changed, ...renamed],
    added: added.filter(item => !isMatched.has(item)),
    removed: removed.filter(item => !isMatched.has(item)),
    sameCount,
  }
}

const toKey = ({ kind, name }: PinItem) => `${kind} ${name}`

/** Only tools and prompts may be renamed: another URI is another resource. */
function matchRenamed(
  removed: readonly PinnedItem[],
  added: readonly PinItem[],
  areSame: (a: PinItem, b: PinItem) => boolean,
): readonly ItemPair[] {
  const pairs: ItemPair[] = []
  const open = new Set(removed.filter(({ kind }) => kind === 'tool' || kind === 'prompt'))
  const rest: PinItem[] = []
  for (const after of added) {
    const before = [...open].find(each => each.kind === after.kind && areSame(each, after))
    if (before === undefined) rest.push(after)
    else {
      open.delete(before)
      pairs.push({ before, after, rename: 'same content' })
    }
  }
  const befores = new Map([...open].filter(({ kind }) => kind === 'tool').map(item => [toTool(item), item]))
  const afters = new Map(rest.filter(({ kind }) => kind === 'tool').map(item => [toTool(item), item]))
  if (befores.size === 0 || afters.size === 0) return pairs
  for (const { pairs: guessed } of matchTools([...befores.keys()], [...afters.keys()]).renames)
    for (const [old, now] of guessed) {
      const [before, after] = [befores.get(old), afters.get(now)]
      if (before !== undefined && after !== undefined) pairs.push({ before, after, rename: 'guessed' })
    }
  return pairs
}

/** Returns the text that equal definitions share; undefined if it is nested too deeply. */
export function definitionText({ definition }: PinItem): string | undefined {
  return isDeeperThan(definition, maxDefinitionLevels) ? undefined : canonicalJson(definition)
}

async function comparePair({ before, after, rename }: ItemPair, steps: number): Promise<DifferenceDraft> {
  const shared = { kind: after.kind, name: after.name, before, after }
  const identity = { ...shared, ...(rename && { pinnedName: before.name }) }
  // The fields of a server and of an agent are compared one by one.
  const hasFields = after.kind === 'server' || after.kind === 'agent'
  const words = hasFields
    ? findSentences(before.definition.capabilities, after.definition.capabilities)
    : findAddedWords(before.definition, after.definition, leadsToPart)
  const newWords = rename === undefined ? [] : listNewWords(before.name, after.name)
  const all = { ...words, words: words.words + weighWords(newWords) }
  if (definitionText(before) === undefined || definitionText(after) === undefined) {
    const found: PinClass[] = ['undecided']
    if (words.isProse) found.push('changed-text')
    if (isSafetyLowered(before, after)) found.push('lowered-safety')
    return { ...identity, classes: sortClasses(found), changes: [], words: all }
  }
  const hasSchemas = after.kind === 'tool' || after.kind === 'prompt'
  const parts = hasSchemas ? compareSchemaParts(before, after) : noParts
  const compared = await compareContents(before, after, steps, parts.isSame)
  const classes = new Set<PinClass>(compared.classes)
  if (words.isProse) classes.add('changed-text')
  if (rename !== undefined && readsAsOtherName(before.name, after.name, newWords)) classes.add('changed-text')
  // A guess may be wrong, so the name counts as one that was not approved.
  if (rename === 'guessed') classes.add('new')
  if (hasSchemas) addSchemaClasses(before, after, classes)
  for (const { type } of parts.changes) classes.add(partClasses[type])
  if (isSafetyLowered(before, after)) classes.add('lowered-safety')
  const changes = withRewrittenParts(compared.changes, parts.changes)
  return { ...identity, classes: sortClasses([...classes]), changes, words: all }
}

const leadsToPart = (definition: unknown, reference: string) =>
  isObject(definition) &&
  [own(definition, 'inputSchema'), own(definition, 'outputSchema')].some(
    schema => isSchema(schema) && resolveRef(schema, reference) !== undefined,
  )

/** Capabilities and extensions have long names, so only what has blanks is a sentence. */
function findSentences(before: unknown, after: unknown): AddedWords {
  const texts = findAddedWords(before, after, leadsToPart).texts.filter(
    text => /\s/.test(text) && readsAsProse(text),
  )
  return { words: 0, texts, isProse: texts.length > 0 }
}

const splitName = (name: string) => name.toLowerCase().match(/[\p{L}]+|\p{N}+/gu) ?? []

function listNewWords(before: string, after: string): readonly string[] {
  const known = new Set(splitName(before.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')))
  return splitName(after.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).filter(word => !known.has(word))
}

/** A name with one or two other words is a name; more of them, or other signs, may tell the model something. */
function readsAsOtherName(before: string, after: string, newWords: readonly string[]): boolean {
  const hasOtherSigns = [...after].some(sign => !/[\w .:/-]/.test(sign) && !before.includes(sign))
  return (
    newWords.reduce((sum, word) => sum + countWords(word), 0) > 2 ||
    after.length > 64 ||
    countWords(after) > countWords(before) + 2 ||
    hasOtherSigns ||
    deceives(after)
  )
}

const noParts: PartComparison = { isSame: false, changes: [] }
const partClasses = { wider: 'wider-input', texts: 'changed-text', rewritten: 'undecided' } as const

function compareSchemaParts(before: PinItem, after: PinItem): PartComparison {
  const [old, now] = [toTool(before), toTool(after)]
  const input = compareParts(old.inputSchema, now.inputSchema, 'input')
  const output = compareParts(old.outputSchema ?? {}, now.outputSchema ?? {}, 'output')
  return { isSame: input.isSame && output.isSame, changes: [...input.changes, ...output.changes] }
}

function addSchemaClasses(before: PinItem, after: PinItem, classes: Set<PinClass>): void {
  const [old, now] = [toTool(before).inputSchema, toTool(after).inputSchema]
  if (canonicalJson(old) === canonicalJson(now)) return
  const [declared, declaredNow] = [listDeclaredData(old), listDeclaredData(now)]
  if (declared === null || declaredNow === null) classes.add('undecided')
  else if ([...declaredNow].some(location => !declared.has(location))) classes.add('wider-input')
}

/** Absent hints have the default of MCP: not read-only, destructive, not idempotent, open-world. */
function isSafetyLowered(before: PinItem, after: PinItem): boolean {
  if (after.kind !== 'tool') return false
  const [old, now] = [before, after].map(({ definition }) => {
    const hints = own(definition, 'annotations')
    const read = (name: string) => (isObject(hints) ? own(hints, name) : undefined)
    return {
      isReadOnly: read('readOnlyHint') === true,
      isDestructive: read('destructiveHint') !== false,
      isIdempotent: read('idempotentHint') === true,
      isOpenWorld: read('openWorldHint') !== false,
    }
  })
  if (old === undefined || now === undefined) return false
  return (
    (old.isReadOnly && !now.isReadOnly) ||
    (!old.isDestructive && now.isDestructive) ||
    (old.isIdempotent && !now.isIdempotent) ||
    (!old.isOpenWorld && now.isOpenWorld)
  )
}

async function compareContents(
  before: PinItem,
  after: PinItem,
  steps: number,
  isSame: boolean,
): Promise<ContentsComparison> {
  if (after.kind === 'agent') return compareFields(before.definition, after.definition)
  try {
    const { changes } = await diffManifests(toSide(before, before.name), toSide(after, before.name), {
      steps,
    })
    const other = compareOtherFields(before, after)
    // Each item is compared by itself, so a change names no other one.
    const own = changes.map(({ tool: _, tools: __, ...change }) => change)
    const isCut = own.reduce((sum, { parts = [] }) => sum + 1 + parts.length, 0) > maxChanges
    const classes = own.flatMap(change => classifyChange(change, isSame))
    return {
      classes: [...classes, ...other.classes, ...(isCut ? ['undecided' as const] : [])],
      changes: [...other.changes, ...own],
    }
  } catch {
    // Schemas nested deeply may overflow the stack.
    return { classes: ['undecided'], changes: [] }
  }
}

/** The definition of a tool or a prompt has the fields of our own types, which were checked when it was read. */
function toTool({ kind, name, definition }: PinItem): ManifestTool {
  if (kind === 'prompt') return { name, inputSchema: describeInput({ ...definition, name }) }
  const { inputSchema = { type: 'object' }, ...fields } = definition
  return { ...fields, name, inputSchema: inputSchema as JsonSchema }
}

/** Returns the arguments of a prompt as a schema. */
const describeInput = (prompt: ManifestPrompt): JsonSchema =>
  surfaceEntries({ prompts: [prompt] })[0]?.callable.inputSchema ?? true

const sections: Partial<Record<PinKind, keyof Surface>> = {
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
  skill: 'skills',
}

function toSide(item: PinItem, name: string): DiffSide {
  const { kind, definition } = item
  if (kind === 'tool') {
    return { tools: [{ ...toTool(item), name }] }
  }
  const section = sections[kind]
  if (section === undefined) {
    const { instructions, capabilities, icons } = definition
    // The fields have the types of our own manifests, which were checked when they were read.
    return { tools: [], ...({ instructions, capabilities, icons } as Partial<DiffSide>) }
  }
  const key = kind === 'prompt' ? 'name' : kind === 'template' ? 'uriTemplate' : 'uri'
  return { tools: [], [section]: [{ ...definition, [key]: name }] }
}
