/** Finds the entry of a lock that belongs to a source. */

import type { PinnedItem } from '../../core/pin/pin.ts'
import type { LockedPins } from '../../core/pin/pin-file.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { SourceConnection } from '../catalog/source-connection.ts'
import { describeAddress, isSameAddress } from './describe-present.ts'

export interface KnownSources {
  readonly catalog: Catalog
  /** Names of the sources that were configured at the start, also of those that are not open. */
  readonly configured: ReadonlySet<string>
  /** See `describeAddress`; the folder of the lock if absent. */
  readonly typedIn?: string | undefined
}

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
  const addresses = [describeAddress(spec, known.typedIn), describeAddress(spec)]
  const isTyped = spec.origin === undefined
  // The same words in another folder are another server under that pin.
  const byAddress = addresses.flatMap(address =>
    [...pins].flatMap(([key, items]) => (isSameAddress(getPinnedAddress(items), address) ? [key] : [])),
  )
  if (pins.has(name) && (!isTyped || byAddress.length === 0 || byAddress.includes(name))) return name
  if (byAddress[0] !== undefined) return byAddress[0]
  if (isTyped) return undefined
  const own = new Set(manifest?.tools.map(tool => tool.name))
  return [...pins].find(([key, items]) => isUnused(key, items, known) && hasMost(items, own))?.[0]
}

/** Whether no known source has the name or the address of the pin. */
function isUnused(
  pin: string,
  items: readonly PinnedItem[],
  { catalog: { sources }, configured, typedIn }: KnownSources,
): boolean {
  if (sources.find(pin) !== undefined) return false
  // The file may have changed since the start, and its source was removed.
  if (configured.has(pin) && !sources.listRemoved().some(({ name }) => name === pin)) return false
  const address = getPinnedAddress(items)
  return !sources
    .list()
    .some(({ name }) => isSameAddress(address, describeAddress(sources.get(name).spec, typedIn)))
}

const getPinnedAddress = (items: readonly PinnedItem[]) =>
  items.find(({ kind }) => kind === 'server')?.definition.address

/** Whether most approved tools are among these names. */
function hasMost(items: readonly PinnedItem[], names: ReadonlySet<string>): boolean {
  const tools = items.filter(({ kind }) => kind === 'tool')
  return tools.length > 0 && tools.filter(({ name }) => names.has(name)).length * 2 > tools.length
}
