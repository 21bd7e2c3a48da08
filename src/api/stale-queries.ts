/** Decides which queries a change of the catalog or of the store makes stale. */
import type { CatalogEvent, StoreEvent } from '../../core/api/events.ts'
import { isObject } from '../../core/json/json.ts'
import { parseSnapshotReference } from '../../core/manifest/reference.ts'
import { isDropped } from './dropped-manifests.ts'

/** A query in the cache: its key, which begins with `catalog` or with a family of the store, and its newest answer. */
export interface CachedQuery {
  readonly queryKey: readonly unknown[]
  readonly state: { readonly data?: unknown }
}

/** Replaces the name of a source in a query about all sources. */
export const anySource = '*'

type Depends = (source: string, parts: readonly unknown[], answer: unknown) => boolean

const always: Depends = () => true

/** A list of tools, from the sources that its query names or from all. */
const listOfTools: Depends = (source, [query]) => {
  const named = isObject(query) ? (query.sources ?? query.source) : undefined
  return !Array.isArray(named) || named.length === 0 || named.includes(source)
}

/** The families of queries: which events concern them, and whether a change of `source` makes one stale. */
const families: Readonly<
  Record<string, { readonly what: readonly CatalogEvent['what'][]; readonly depends: Depends }>
> = {
  sources: { what: ['sources'], depends: always },
  trust: { what: ['sources'], depends: always },
  clients: { what: ['sources'], depends: always },
  agents: { what: ['agents'], depends: always },
  pins: {
    what: ['sources', 'tools', 'agents', 'pins'],
    depends: (source, [of]) => of === undefined || of === source,
  },
  // The tree shows sources without tools as well.
  rows: { what: ['sources', 'tools'], depends: listOfTools },
  search: { what: ['tools'], depends: always },
  commands: { what: ['tools'], depends: always },
  prompt: { what: ['tools'], depends: listOfTools },
  scores: { what: ['tools'], depends: always },
  lint: { what: ['tools'], depends: listOfTools },
  // A tool that could not be read may exist now.
  tool: { what: ['tools'], depends: (source, _, tool) => !isObject(tool) || tool.source === source },
  versions: { what: ['sources', 'tools'], depends: (source, [of]) => of === source || of === anySource },
  diff: {
    what: ['tools'],
    depends: (source, [a, b], answer) => follows(a, 'a', source, answer) || follows(b, 'b', source, answer),
  },
}

/** Returns whether an event can change the answer of a query. */
export function isStale(
  { queryKey: [prefix, family, ...parts], state }: CachedQuery,
  event: CatalogEvent,
): boolean {
  const found = prefix === 'catalog' ? families[String(family)] : undefined
  if (found === undefined || !found.what.includes(event.what)) return false
  return event.source === anySource
    ? !isFrozenDiff(family, parts)
    : found.depends(event.source, parts, state.data)
}

/** Returns whether changes of the store can change the answer of a query. */
export function isStaleInStore({ queryKey }: CachedQuery, { kind, source, ref, ids }: StoreEvent): boolean {
  const [family, part, about] = queryKey
  const isSame = (changed: string | undefined, queried: unknown) =>
    changed === undefined || queried === undefined || queried === changed
  switch (kind) {
    case 'status':
      return family === 'store-state'
    case 'people':
      return false
    case 'snapshot':
      return family === 'catalog' && part === 'versions' && (about === anySource || isSame(source, about))
    case 'example':
      return family === 'examples' && isSame(ref, part)
    case 'invocation':
      if (family !== 'history') return false
      if (part === 'call') return ids === undefined || ids.includes(String(about))
      if (part === 'stats') return isSame(ref, about)
      return !isObject(about) || (isSame(source, about.source) && includesTool(about.tool, ref))
  }
}

/**
 * The second tool of a name has the reference `acme/greet~2`.
 * @param tool a filter of calls: the reference or the name of a tool
 */
const includesTool = (tool: unknown, ref: string | undefined) =>
  typeof tool !== 'string' ||
  ref === undefined ||
  ref === tool ||
  ref.replace(/~\d+$/, '').endsWith(`/${tool}`)

/** Returns whether one side of a comparison can change with a source. */
function follows(reference: unknown, side: 'a' | 'b', source: string, answer: unknown): boolean {
  const text = String(reference)
  if (isFrozen(text)) return false
  if (text === source) return true
  const version = parseSnapshotReference(text)
  if (version) return version.source === source
  // Another open source does not depend on this one. A file, an address or a name in git may have changed with it.
  const compared = isObject(answer) ? answer[side] : undefined
  return !(isObject(compared) && compared.source === text)
}

const isFrozenDiff = (family: unknown, [a, b]: readonly unknown[]) =>
  family === 'diff' && isFrozen(String(a)) && isFrozen(String(b))

/** Returns whether a reference never changes: a version number, a file at a full commit hash, or a dropped file. */
const isFrozen = (reference: string) =>
  isDropped(reference) ||
  parseSnapshotReference(reference)?.selector.kind === 'number' ||
  /^git:[0-9a-f]{40,64}:/.test(reference)
