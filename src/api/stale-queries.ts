/** Which queries of the catalog an event makes stale. */
import type { CatalogEvent } from '../../core/api/events.ts'
import { isObject } from '../../core/json/json.ts'
import { parseSnapshotReference } from '../../core/manifest/reference.ts'
import { isDropped } from './dropped-manifests.ts'

/** A query as the cache holds it: `['catalog', family, …]` and its newest answer. */
export interface CachedQuery {
  readonly queryKey: readonly unknown[]
  readonly state: { readonly data?: unknown }
}

/** In the place of a source's name: the query is about all of them. */
export const anySource = '*'

type Depends = (source: string, parts: readonly unknown[], answer: unknown) => boolean

const always: Depends = () => true

/** A list of tools: of the sources that its query names, or of all. */
const listOfTools: Depends = (source, [query]) => {
  const named = isObject(query) ? (query.sources ?? query.source) : undefined
  return !Array.isArray(named) || named.length === 0 || named.includes(source)
}

/** The families of queries by what they are read from, and whether a change of `source` concerns one. */
const families: Readonly<
  Record<string, { readonly what: readonly CatalogEvent['what'][]; readonly depends: Depends }>
> = {
  sources: { what: ['sources'], depends: always },
  trust: { what: ['sources'], depends: always },
  clients: { what: ['sources'], depends: always },
  agents: { what: ['agents'], depends: always },
  // The tree shows sources without tools as well.
  rows: { what: ['sources', 'tools'], depends: listOfTools },
  search: { what: ['tools'], depends: always },
  commands: { what: ['tools'], depends: always },
  prompt: { what: ['tools'], depends: listOfTools },
  lint: { what: ['tools'], depends: listOfTools },
  // A tool that could not be read may be there now.
  tool: { what: ['tools'], depends: (source, _, tool) => !isObject(tool) || tool.source === source },
  versions: { what: ['sources', 'tools'], depends: (source, [of]) => of === source || of === anySource },
  diff: {
    what: ['tools'],
    depends: (source, [a, b], answer) => follows(a, 'a', source, answer) || follows(b, 'b', source, answer),
  },
}

/** Whether the answer of a query may be another one after the event. */
export function isStale(
  { queryKey: [, family, ...parts], state }: CachedQuery,
  event: CatalogEvent,
): boolean {
  const found = families[String(family)]
  if (found === undefined || !found.what.includes(event.what)) return false
  return event.source === anySource
    ? !isFrozenDiff(family, parts)
    : found.depends(event.source, parts, state.data)
}

/** Whether one side of a comparison may change with a source. */
function follows(reference: unknown, side: 'a' | 'b', source: string, answer: unknown): boolean {
  const text = String(reference)
  if (isFrozen(text)) return false
  if (text === source) return true
  const version = parseSnapshotReference(text)
  if (version) return version.source === source
  // The name of another open source; what remains is a file, an address or a name in git, which says nothing of its own.
  const compared = isObject(answer) ? answer[side] : undefined
  return !(isObject(compared) && compared.source === text)
}

const isFrozenDiff = (family: unknown, [a, b]: readonly unknown[]) =>
  family === 'diff' && isFrozen(String(a)) && isFrozen(String(b))

/** A version by its number, a file of a commit by its whole hash, or a file of the page's own: it never changes. */
const isFrozen = (reference: string) =>
  isDropped(reference) ||
  parseSnapshotReference(reference)?.selector.kind === 'number' ||
  /^git:[0-9a-f]{40,64}:/.test(reference)
