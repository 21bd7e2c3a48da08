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
import type { Catalog } from '../catalog/catalog.ts'
import type { KnownSources } from './find-pin.ts'
import type { LockContents } from './lock-file.ts'

export class RenamedTools {
  private readonly catalog: Catalog
  private readonly configured: KnownSources['configured']
  private known:
    | { readonly revision: object; readonly lock: LockContents; readonly owners: Owners }
    | undefined
  private readonly stamps = new WeakMap<readonly PinItem[], ListStamp>()

  constructor({ catalog, configured }: Pick<KnownSources, 'catalog' | 'configured'>) {
    this.catalog = catalog
    this.configured = configured
  }

  /** Returns the facts about other tools on which the classes of renamed tools depend, as a text. */
  stampOf({ source, pinned, entries, lock }: PinnedList): string {
    if (pinned.length === 0) return ''
    const known = this.stamps.get(entries)
    const names = known?.pinned === pinned ? known.names : listNewNames(pinned, entries)
    if (names.length === 0) return this.keepStamp(entries, { pinned, names, stamp: '' })
    const owners = this.ownersIn(lock)
    // A list may have 100,000 new names, and each call compares its stamp.
    if (known?.pinned === pinned && known.owners === owners) return known.stamp
    const taken = names.flatMap(name => {
      const own = toOwner('listed', source, name)
      const others = findOwners(owners, source, name).filter(owner => owner !== own)
      return others.length === 0 ? [] : [[name, ...others.sort()]]
    })
    return this.keepStamp(entries, { pinned, names, owners, stamp: JSON.stringify(taken) })
  }

  private keepStamp(entries: readonly PinItem[], stamp: ListStamp): string {
    this.stamps.set(entries, stamp)
    return stamp.stamp
  }

  /** Adds the classes of the new name to a difference, and why it has them. */
  addClasses<Difference extends PinDifference>(
    difference: Difference,
    { source, pinnedAs = '', entries, lock }: PinnedList,
  ): Difference {
    const { kind, name, pinnedName, after } = difference
    if (kind !== 'tool' || pinnedName === undefined || after === undefined) return difference
    const own = new Set(
      [name, pinnedName, ''].flatMap(each => [
        toOwner('listed', source, each),
        toOwner('approved', pinnedAs, each),
      ]),
    )
    const isTaken = findOwners(this.ownersIn(lock), source, name).some(owner => !own.has(owner))
    const isRuledLess = this.isRuledLess(source, entries.indexOf(after), pinnedName)
    const found: PinClass[] = [
      ...(isTaken ? ['new' as const] : []),
      ...(isRuledLess ? ['lowered-safety' as const] : []),
    ]
    const changes = [...difference.changes, ...(isTaken ? [taken] : []), ...(isRuledLess ? [ruledLess] : [])]
    return { ...difference, classes: sortClasses([...difference.classes, ...found]), changes }
  }

  /** Whether the user's rule for the approved name asks before more calls than that for the new one. */
  private isRuledLess(source: string, index: number, pinnedName: string): boolean {
    const { last } = this.catalog.sources.get(source)
    const tool = last?.list.tools[index]
    if (last === undefined || tool === undefined) return false
    const rank = (rule: boolean | undefined) => (rule === undefined ? 1 : rule ? 2 : 0)
    return rank(last.findRule(tool)) < rank(last.findRule({ ...tool, name: pinnedName }))
  }

  private ownersIn(lock: LockContents): Owners {
    const { sources, tools } = this.catalog
    const { revision } = tools
    if (this.known?.revision === revision && this.known.lock === lock) return this.known.owners
    const owners = new Map<string, Set<string>>()
    const add = (owner: string, keys: readonly string[]) => {
      for (const key of keys) owners.set(key, (owners.get(key) ?? new Set()).add(owner))
    }
    const listed = sources.list().map(({ name }) => name)
    for (const source of [...this.configured, ...listed])
      add(toOwner('listed', source, ''), [toPrefixKey(toKey(source))])
    for (const source of listed)
      for (const { ref } of tools.listedBy(source)) {
        const path = ref.slice(source.length + 1)
        add(toOwner('listed', source, path), toKeys(source, path))
      }
    for (const [pin, items] of lock.pins) {
      add(toOwner('approved', pin, ''), [toPrefixKey(toKey(pin))])
      for (const { kind, name } of items) {
        const path = kind === 'tool' ? name : `${kind}s/${name}`
        if (kind !== 'server') add(toOwner('approved', pin, path), toKeys(pin, path))
      }
    }
    this.known = { revision, lock, owners }
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

interface ListStamp {
  readonly pinned: readonly PinnedItem[]
  /** Names of tools that the pin lacks. */
  readonly names: readonly string[]
  readonly owners?: Owners
  readonly stamp: string
}

/**
 * By each name under which a client or a script may call a tool: the tools that it may mean. By the prefix of a source, whose
 * list may not be known: the source.
 */
type Owners = ReadonlyMap<string, ReadonlySet<string>>

const toOwner = (from: 'listed' | 'approved', source: string, path: string) =>
  JSON.stringify([from, source, path])

function findOwners(owners: Owners, source: string, name: string): string[] {
  const key = toKey(name)
  const prefixes = [...key.matchAll(/_/g)].map(({ index }) => toPrefixKey(key.slice(0, index)))
  return [...toKeys(source, name), ...prefixes].flatMap(each => [...(owners.get(each) ?? [])])
}

/** No key of a tool has this sign. */
const toPrefixKey = (sourceKey: string) => `${sourceKey}*`

function listNewNames(pinned: readonly PinnedItem[], entries: readonly PinItem[]): readonly string[] {
  const approved = new Set(listToolNames(pinned))
  return listToolNames(entries).filter(name => !approved.has(name))
}

const listToolNames = (items: readonly PinItem[]) =>
  items.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []))

/** Names for clients are cut to no fewer characters (core/prompt/legal-names.ts). */
const maxKeyCharacters = 60

/** Names and commands have the source as prefix, if several sources have the name. */
const toKeys = (source: string, name: string) => [toKey(name), toKey(`${source}_${name}`)]

/** Returns the same text for all spellings that names for clients, commands and the bridge make equal, or number. */
const toKey = (name: string) =>
  name
    .slice(0, 4 * maxKeyCharacters)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, maxKeyCharacters)
    .replace(/(?:_\d+)+$/, '')

const describe = (rule: string, message: string): Change => ({
  fingerprint: rule,
  rule,
  severity: 'dangerous',
  direction: 'tool',
  path: 'name',
  message,
})

const taken = describe('name-taken', 'another tool has the new name, or is called by it')
const ruledLess = describe('name-without-rule', 'a rule of the user asks before a call of the approved name')
