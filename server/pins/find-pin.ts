/** Finds the entry of a lock that belongs to a source. */
import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { canonicalJson } from '../../core/json/equality.ts'
import { isObject } from '../../core/json/json.ts'
import type { PinKind, PinnedItem } from '../../core/pin/pin.ts'
import type { LockedPins } from '../../core/pin/pin-file.ts'
import type { ToolName } from '../../core/prompt/legal-names.ts'
import { decodePercents } from '../../core/text/uri.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { SourceConnection } from '../catalog/source-connection.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { withAbsolutePaths } from '../process/command-line.ts'
import { type AddressBase, describeAddress, isSameAddress } from './describe-address.ts'

export interface KnownSources {
  readonly catalog: Catalog
  /** The lock, absolute: the paths of its addresses are relative to its folder. */
  readonly file: string
  /** Names of the sources that were configured at the start, also of those that are not open. */
  readonly configured: ReadonlySet<string>
  /** See `describeAddress`; the folder of the lock if absent. */
  readonly typedIn?: string | undefined
}

export const toAddressBase = ({ file, typedIn }: Pick<KnownSources, 'file' | 'typedIn'>): AddressBase => ({
  typedIn,
  folder: dirname(file),
})

/**
 * Returns the name of the pin of a source; undefined without one. A configured name means its pin, also if the command or
 * the address changed; for a source that was typed, the command or address counts first. A configured source that took
 * the place of a pinned one under another name and another address is found by its tools.
 */
export function findPin(
  { name, spec, manifest }: Pick<SourceConnection, 'name' | 'spec' | 'manifest'>,
  pins: LockedPins,
  known: KnownSources,
): string | undefined {
  if (pins.size === 0) return undefined
  const base = toAddressBase(known)
  const addresses = [describeAddress(spec, base), describeAddress(spec, { folder: base.folder })]
  const isTyped = spec.origin === undefined
  // The same words in another folder are another server under that pin.
  const byAddress = addresses.flatMap(address =>
    [...pins].flatMap(([key, items]) => (isSameAddress(getPinnedAddress(items), address) ? [key] : [])),
  )
  if (pins.has(name) && (!isTyped || byAddress.length === 0 || byAddress.includes(name))) return name
  const found = byAddress[0] ?? findSimilar(addresses[0], pins, known, isTyped)
  if (found !== undefined) return found
  if (isTyped) return undefined
  const own = new Set(manifest?.tools.map(tool => tool.name))
  return [...pins].find(([key, items]) => isUnused(key, items, known) && hasMost(items, own))?.[0]
}

/** Returns the approved entries of the sources in the catalog by their references: a tool by its name. */
export function listApproved(pins: LockedPins, known: KnownSources): readonly ToolName[] {
  const { sources } = known.catalog
  return sources.names().flatMap(source => {
    const pin = findPin(sources.get(source), pins, known)
    const items = (pin === undefined ? undefined : pins.get(pin)) ?? []
    const paths = items.flatMap(({ kind, name }) => toCalledPath(kind, name) ?? [])
    return paths.map(name => ({ source, name }))
  })
}

/** Returns the reference of an entry without its source; undefined for what is not called. */
const toCalledPath = (kind: PinKind, name: string) =>
  kind === 'server' || kind === 'agent' ? undefined : kind === 'tool' ? name : `${kind}s/${name}`

/**
 * Finds the pin of an address in another spelling (`./a.mjs`, `HTTP://LOCALHOST/mcp/`); of one that was typed, also with other
 * variables. Its comparison says how they differ.
 */
function findSimilar(
  address: unknown,
  pins: LockedPins,
  { file }: KnownSources,
  isTyped: boolean,
): string | undefined {
  const folder = dirname(file)
  const known = similar.get(pins) ?? new Map<string, string>()
  if (!similar.has(pins))
    for (const [pin, items] of pins)
      for (const key of Object.values(toSimilarKeys(getPinnedAddress(items), folder)))
        if (!known.has(key)) known.set(key, pin)
  similar.set(pins, known)
  const { ofTyped, ofOthers } = toSimilarKeys(address, folder)
  return known.get(isTyped ? ofTyped : ofOthers)
}

/** Each call of a source without a pin looks here. */
const similar = new WeakMap<LockedPins, Map<string, string>>()

/** @param folder from which the paths start. Absolute. */
function toSimilarKeys(address: unknown, folder: string) {
  const { url, command, label, directory, ...others } = isObject(address) ? address : {}
  if (typeof url === 'string') return { ofTyped: toSimilarUrl(url), ofOthers: toSimilarUrl(url) }
  const base = resolve(folder, typeof directory === 'string' ? directory : '')
  const words = Array.isArray(command) ? withAbsolutePaths(command.map(String), base).map(toRealPath) : []
  const path = typeof label === 'string' ? toRealPath(resolve(base, label)) : ''
  return {
    ofTyped: canonicalJson({ words, path, typed: true }),
    ofOthers: canonicalJson({ ...others, words, path }),
  }
}

/** A link is another spelling of what it leads to. */
function toRealPath(word: string): string {
  if (!isAbsolute(word)) return word
  try {
    return realpathSync(word)
  } catch {
    return word
  }
}

/** Servers print these addresses, and a request to one reaches this machine. */
const ownHosts = /^(?:0\.0\.0\.0|::|::ffff:(?:0|7f[\da-f]{2}):[\da-f]{1,4})$/

/** An MCP server is also looked for at `/mcp` below an address. */
function toSimilarUrl(written: string): string {
  if (!URL.canParse(written)) return written
  const { protocol, hostname, port, pathname, search } = new URL(written)
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const host = isLoopback(bare) || ownHosts.test(bare) ? 'localhost' : bare
  const path = decodePercents(pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(/\/mcp$/, '')
  return `${protocol}//${host}:${port}${path}${search}`
}

/** Whether no known source has the name or the address of the pin. */
function isUnused(pin: string, items: readonly PinnedItem[], known: KnownSources): boolean {
  const { sources } = known.catalog
  if (sources.find(pin) !== undefined) return false
  // The file may have changed since the start, and its source was removed.
  if (known.configured.has(pin) && !sources.listRemoved().some(({ name }) => name === pin)) return false
  const address = getPinnedAddress(items)
  const base = toAddressBase(known)
  return !sources
    .list()
    .some(({ name }) => isSameAddress(address, describeAddress(sources.get(name).spec, base)))
}

const getPinnedAddress = (items: readonly PinnedItem[]) =>
  items.find(({ kind }) => kind === 'server')?.definition.address

/** Whether most approved tools are among these names. */
function hasMost(items: readonly PinnedItem[], names: ReadonlySet<string>): boolean {
  const tools = items.filter(({ kind }) => kind === 'tool')
  return tools.length > 0 && tools.filter(({ name }) => names.has(name)).length * 2 > tools.length
}
