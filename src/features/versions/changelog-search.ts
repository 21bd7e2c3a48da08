import type { VersionKind } from '../../../core/api/versions.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameters, usePageSearch } from '../../ui/route-search.ts'

const kinds: readonly VersionKind[] = ['snapshot', 'git']

/** Parses the state of the changelog that the URL contains. Never throws: unknown keys and values are dropped. */
export function parseChangelogSearch(search: Record<string, unknown>) {
  return {
    ...textParameters(search, ['source']),
    /** The versions that are listed; absent: the more informative kind. */
    ...withoutUndefined({ kind: kinds.find(kind => kind === search.kind) }),
  }
}

export const useChangelogSearch = () => usePageSearch('/changelog', parseChangelogSearch)
