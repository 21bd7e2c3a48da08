import type { VersionKind } from '../../../core/api/versions.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameters, usePageSearch } from '../../ui/route-search.ts'

const kinds: readonly VersionKind[] = ['snapshot', 'git']

/** The state of the changelog that is kept in the URL. Never throws: unknown keys and values are dropped. */
export function parseChangelogSearch(search: Record<string, unknown>) {
  return {
    ...textParameters(search, ['source']),
    /** Which versions are listed; absent: those that say more. */
    ...withoutUndefined({ kind: kinds.find(kind => kind === search.kind) }),
  }
}

export const useChangelogSearch = () => usePageSearch('/changelog', parseChangelogSearch)
