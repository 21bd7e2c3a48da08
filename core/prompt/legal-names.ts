/** Makes names that every model's API accepts, unique among all tools of a prompt. */
import type { Tool } from '../tool/tool.ts'

/** Below OpenAI's limit, so that a suffix can make a name unique. */
const maxNameCharacters = 60
const illegal = /[^a-zA-Z0-9_-]+/g

/** A source that may have tools later, or a tool that may be listed later: it was approved. */
export type KnownName = string | ToolName

export type ToolName = Pick<Tool, 'source' | 'name'>

/**
 * Returns one name for each tool, in order, matching ^[a-zA-Z0-9_-]{1,64}$. A tool keeps its name if it is legal, unique and
 * could be no name of another source (`SourceNames`); else it gets its source as prefix, and names that are still equal are
 * numbered. `taken` holds names that are already in use. Linear in the number of tools.
 *
 * @param known see `SourceNames`
 */
export function legalNames(
  tools: readonly Tool[],
  {
    taken = [],
    known = [],
  }: { readonly taken?: readonly string[]; readonly known?: readonly KnownName[] } = {},
): readonly string[] {
  const plain = tools.map(tool => legalName(tool.name))
  const sources = tools.map(({ source }) => source)
  const names = new SourceNames(legalName, [...known, ...sources])
  for (const [index, name] of plain.entries()) names.add(name, sources[index] ?? '')
  const wanted = tools.map(({ source }, index) => {
    const name = plain[index] ?? ''
    return names.needsSource(name, source) ? legalName(`${source}_${name}`) : name
  })
  return numbered(wanted, { reserved: taken, sources, own: plain, most: maxNameCharacters + 3 })
}

/**
 * Finds the names that need their source as prefix, so that no list of a source decides what the names of another one mean:
 * those that another source has, with or without a number (`get`, `get_2`), and those that begin like another source
 * (`acme_get`), whatever that lists. A tool that is known counts as listed: another source must not get its calls as soon as
 * its own source lists it no longer, or is not connected.
 */
export class SourceNames {
  /** The source of each name without its number; undefined if several have it. */
  private readonly owners = new Map<string, string | undefined>()
  /** By the prefix of a source, without the `_`; undefined if several have it. */
  private readonly prefixes = new Map<string, string | undefined>()
  private readonly maxPrefixCharacters: number
  private readonly areSeveral: boolean
  private readonly toName: (name: string) => string
  /** The names that a source has by each name with a prefix that may be cut, and whether one of them needs it. */
  private readonly cut = new Map<string, { readonly names: string[]; needed?: boolean }>()

  /** @param toName converts a name as the context of the names requires */
  constructor(toName: (name: string) => string, known: readonly KnownName[]) {
    const all = new Set(known.map(each => (typeof each === 'string' ? each : each.source)))
    this.toName = toName
    for (const source of all) setOwner(this.prefixes, toName(source), source)
    this.maxPrefixCharacters = Math.max(...[...this.prefixes.keys()].map(({ length }) => length))
    this.areSeveral = all.size > 1
    for (const each of known) if (typeof each !== 'string') this.add(toName(each.name), each.source)
  }

  add(name: string, source: string): void {
    setOwner(this.owners, toOwnerKey(name), source)
    const key = this.toCutKey(name, source)
    if (key === undefined) return
    const known = this.cut.get(key) ?? { names: [] }
    known.names.push(name)
    this.cut.set(key, known)
  }

  needsSource(name: string, source: string): boolean {
    if (!this.areSeveral) return false
    const key = this.toCutKey(name, source)
    const equal = key === undefined ? undefined : this.cut.get(key)
    if (equal === undefined) return this.isUnsure(name, source)
    // All of them: else another source decided which of them has the first number.
    equal.needed ??= equal.names.some(each => this.isUnsure(each, source))
    return equal.needed
  }

  private toCutKey(name: string, source: string): string | undefined {
    const made = `${source}_${name}`
    return made.length < maxNameCharacters ? undefined : toSourceKey(source, this.toName(made))
  }

  private isUnsure(name: string, source: string): boolean {
    if (this.owners.get(toOwnerKey(name)) !== source) return true
    const start = name.slice(0, this.maxPrefixCharacters + 1)
    for (let at = start.indexOf('_'); at >= 0; at = start.indexOf('_', at + 1)) {
      const prefix = start.slice(0, at)
      if (this.prefixes.has(prefix) && this.prefixes.get(prefix) !== source) return true
    }
    return false
  }
}

function setOwner(owners: Map<string, string | undefined>, key: string, source: string): void {
  owners.set(key, owners.has(key) && owners.get(key) !== source ? undefined : source)
}

/** A name of the bridge may have millions of characters. */
const maxNumberedCharacters = 600

const toOwnerKey = (name: string) => (name.length > maxNumberedCharacters ? name : withoutNumber(name))

export const withoutNumber = (name: string) => name.replace(/(?:_\d+)+$/, '')

/** Returns a name of legal characters, which several tools may share: at most 60. */
export function legalName(name: string): string {
  // Only the beginning of a name of megabytes matters.
  const start = name.slice(0, 4 * maxNameCharacters)
  return start.replace(illegal, '_').slice(0, maxNameCharacters) || 'tool'
}

/**
 * Renames the second occurrence to `name_2`, or a higher number if that is taken. The first one of each source gets its name
 * before the others, and a made name is never the own name of a tool of its source: a tool that is added must not get a name
 * by which clients call another one.
 *
 * @param sources the source of each name
 * @param own the tools' own names, if some were made
 * @param most the maximum length before a number
 */
export function numbered(
  wanted: readonly string[],
  {
    sources,
    own = [],
    reserved = [],
    most = Number.POSITIVE_INFINITY,
  }: {
    readonly sources: readonly string[]
    readonly own?: readonly string[]
    readonly reserved?: readonly string[]
    readonly most?: number
  },
): readonly string[] {
  const spelt = new Set([...wanted, ...reserved])
  const owned = new Set(own.map((name, index) => toSourceKey(sources[index], name)))
  const taken = new Set(reserved)
  const next = new Map<string, number>()
  const take = (name: string, source: string | undefined, isFree: boolean): string => {
    if (isFree && !taken.has(name)) {
      taken.add(name)
      return name
    }
    for (let count = next.get(name) ?? 2; ; count++) {
      const other = `${name.slice(0, most - String(count).length)}_${count}`
      if (taken.has(other) || spelt.has(other) || owned.has(toSourceKey(source, other))) continue
      next.set(name, count + 1)
      taken.add(other)
      return other
    }
  }
  const names: string[] = []
  /** The index of the first name of each source that is equal. */
  const firsts = new Map<string, number>()
  const ranks = wanted.map((name, index) => {
    const isMade = own.length > 0 && own[index] !== name
    const key = `${isMade} ${toSourceKey(sources[index], name)}`
    const first = firsts.get(key) ?? index
    firsts.set(key, first)
    return { first, rank: first < index ? 2 : isMade ? 1 : 0 }
  })
  for (const rank of [0, 1, 2])
    for (const [index, name] of wanted.entries()) {
      const found = ranks[index]
      if (found?.rank !== rank) continue
      const source = sources[index]
      names[index] =
        rank === 2
          ? take(names[found.first] ?? name, source, false)
          : take(name, source, rank === 0 || !owned.has(toSourceKey(source, name)))
    }
  return names
}

const toSourceKey = (source: string | undefined, name: string) => JSON.stringify([source, name])
