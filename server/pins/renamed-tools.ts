/**
 * A tool that is renamed with the same content is the approved one, but its new name may mean something else elsewhere: another
 * tool by that name or command, or the lack of a rule that the user has for the approved name.
 */
import type { Change } from '../../core/diff/change.ts'
import {
  type PinClass,
  type PinDifference,
  type PinItem,
  type PinnedItem,
  sortClasses,
} from '../../core/pin/pin.ts'
import { withoutNumber } from '../../core/prompt/legal-names.ts'
import { replaceableCommands, toToolCommand } from '../../core/prompt/tool-commands.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { listServedNames, toSpelling } from './describe-present.ts'
import type { KnownSources } from './find-pin.ts'
import type { LockContents } from './lock-file.ts'

/** With more new names than these, each renamed tool is new: a server could make each comparison take seconds. */
const maxNames = 1_000
/** With more new names than these, each further one is new. */
const maxMeanings = 20_000

export class RenamedTools {
  private readonly catalog: Catalog
  private readonly configured: KnownSources['configured']
  /** By each new name: the source and the approved name of the first tool that had it. */
  private readonly meanings = new Map<string, string>()
  private readonly facts = new WeakMap<readonly PinItem[], NameFacts>()

  constructor({ catalog, configured }: Pick<KnownSources, 'catalog' | 'configured'>) {
    this.catalog = catalog
    this.configured = configured
  }

  /** Returns the facts about other tools on which the classes of renamed tools depend, as a text. */
  stampOf(list: PinnedList): string {
    return this.collect(list).stamp
  }

  /** Adds the classes of the new name to a difference, and why it has them. */
  addClasses<Difference extends PinDifference>(difference: Difference, list: PinnedList): Difference {
    const { kind, name, pinnedName, after } = difference
    if (kind !== 'tool' || pinnedName === undefined || after === undefined) return difference
    const { source, pinnedAs = '', entries } = list
    const own = new Set(
      [name, pinnedName, ''].flatMap(each => [
        toOwner('listed', source, each),
        toOwner('approved', pinnedAs, each),
      ]),
    )
    const { names, owners } = this.collect(list)
    const isTaken =
      names.length > maxNames ||
      replaceableCommands.has(toToolCommand(name)) ||
      findOwners(owners, source, name).some(owner => !own.has(owner)) ||
      this.meansOther(source, name, pinnedName)
    const isRuledLess = this.isRuledLess(source, entries.indexOf(after), pinnedName)
    const found: PinClass[] = [
      ...(isTaken ? ['new' as const] : []),
      ...(isRuledLess ? ['lowered-safety' as const] : []),
    ]
    const changes = [...difference.changes, ...(isTaken ? [taken] : []), ...(isRuledLess ? [ruledLess] : [])]
    return { ...difference, classes: sortClasses([...difference.classes, ...found]), changes }
  }

  /**
   * Whether another approved tool had the new name before. A client that may call one by it must not call two: each of them has
   * the content that was approved, and the name says nothing about which one is meant.
   */
  private meansOther(source: string, name: string, pinnedName: string): boolean {
    const meaning = toOwner('approved', source, pinnedName)
    const keys = toToolKeys(source, name)
    if (this.meanings.size + keys.length > maxMeanings)
      return keys.some(key => this.meanings.get(key) !== meaning)
    for (const key of keys) if (!this.meanings.has(key)) this.meanings.set(key, meaning)
    return keys.some(key => this.meanings.get(key) !== meaning)
  }

  /** Whether the user's rule for the approved name asks before more calls than that for the new one. */
  private isRuledLess(source: string, index: number, pinnedName: string): boolean {
    const { last } = this.catalog.sources.get(source)
    const tool = last?.list.tools[index]
    if (last === undefined || tool === undefined) return false
    const rank = (rule: boolean | undefined) => (rule === undefined ? 1 : rule ? 2 : 0)
    return rank(last.findRule(tool)) < rank(last.findRule({ ...tool, name: pinnedName }))
  }

  private collect({ source, pinned, entries, lock }: PinnedList): NameFacts {
    const { revision } = this.catalog.tools
    const known = this.facts.get(entries)
    const isKnown = known?.pinned === pinned && known.source === source
    if (isKnown && known.revision === revision && known.lock === lock) return known
    const names = isKnown ? known.names : listNewNames(pinned, entries)
    const searched = names.length > maxNames ? [] : names
    const owners = this.findAllOwners(new Set(searched.flatMap(name => toKeys(source, name))), lock)
    const stamp = searched.flatMap(name => {
      const own = toOwner('listed', source, name)
      const others = findOwners(owners, source, name).filter(owner => owner !== own)
      return others.length === 0 ? [] : [[name, ...others.sort()]]
    })
    const facts = { source, pinned, names, revision, lock, owners, stamp: JSON.stringify(stamp) }
    this.facts.set(entries, facts)
    return facts
  }

  /** @param wanted the keys that are looked up: few, while a list may have 100,000 tools */
  private findAllOwners(wanted: ReadonlySet<string>, lock: LockContents): Owners {
    const owners = new Map<string, Set<string>>()
    if (wanted.size === 0) return owners
    const { sources, tools } = this.catalog
    const add = (from: 'listed' | 'approved', source: string, path: string, keys: readonly string[]) => {
      for (const key of keys)
        if (wanted.has(key)) owners.set(key, (owners.get(key) ?? new Set()).add(toOwner(from, source, path)))
    }
    const listed = sources.list().map(({ name }) => name)
    for (const source of [...this.configured, ...listed]) add('listed', source, '', [toPrefixKey(source)])
    for (const source of listed)
      for (const { ref } of tools.listedBy(source)) {
        const path = ref.slice(source.length + 1)
        add('listed', source, path, toToolKeys(source, path))
      }
    for (const [pin, items] of lock.pins) {
      add('approved', pin, '', [toPrefixKey(pin)])
      for (const { kind, name } of items) {
        const path = kind === 'tool' ? name : `${kind}s/${name}`
        if (kind !== 'server') add('approved', pin, path, toToolKeys(pin, path))
      }
    }
    return owners
  }
}

/** A list of a source, with its pin. */
export interface PinnedList {
  readonly source: string
  readonly pinned: readonly PinnedItem[]
  /** The name of the pin. */
  readonly pinnedAs: string | undefined
  readonly entries: readonly PinItem[]
  readonly lock: LockContents
}

interface NameFacts extends Pick<PinnedList, 'source' | 'pinned' | 'lock'> {
  /** Names of tools that the pin lacks. */
  readonly names: readonly string[]
  /** See `ToolIndex.revision`. */
  readonly revision: object
  readonly owners: Owners
  readonly stamp: string
}

/**
 * By each name under which a client or a script may call a tool: the tools that it may mean. By the prefix of a source, whose
 * list may not be known: the source.
 */
type Owners = ReadonlyMap<string, ReadonlySet<string>>

const toOwner = (from: 'listed' | 'approved', source: string, path: string) =>
  JSON.stringify([from, source, path])

const findOwners = (owners: Owners, source: string, name: string): string[] =>
  toKeys(source, name).flatMap(key => [...(owners.get(key) ?? [])])

function listNewNames(pinned: readonly PinnedItem[], entries: readonly PinItem[]): readonly string[] {
  // Without a pin, every name is new and none was approved.
  if (pinned.length === 0) return []
  const approved = new Set(listToolNames(pinned))
  return listToolNames(entries).filter(name => !approved.has(name))
}

const listToolNames = (items: readonly PinItem[]) =>
  items.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []))

const toToolKeys = (source: string, name: string) => [
  ...new Set(listServedNames(source, name).map(withoutNumber)),
]

/** Returns the keys that a new name must not share with a tool, or with the prefix of a source. */
function toKeys(source: string, name: string): readonly string[] {
  const key = toKey(name)
  const prefixes = [...key.matchAll(/_/g)].map(({ index }) => `${key.slice(0, index)}*`)
  return [...toToolKeys(source, name), ...prefixes]
}

/** No key of a tool has the sign. */
const toPrefixKey = (source: string) => `${toKey(source)}*`

const toKey = (name: string) => withoutNumber(toSpelling(name))

const describe = (rule: string, message: string): Change => ({
  fingerprint: rule,
  rule,
  severity: 'dangerous',
  direction: 'tool',
  path: 'name',
  message,
})

const taken = describe(
  'name-taken',
  'another tool or a program of scripts has the new name, or is called by it',
)
const ruledLess = describe('name-without-rule', 'a rule of the user asks before a call of the approved name')
