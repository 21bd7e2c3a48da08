import { textParameters, usePageSearch } from '../../ui/route-search.ts'

/** Parses the state of the review page that the URL contains. Never throws: unknown keys and values are dropped. */
export function parseReviewSearch(search: Record<string, unknown>) {
  // The source, the reference of the only tool and the only class that are shown.
  return textParameters(search, ['source', 'tool', 'show'])
}

export const useReviewSearch = () => usePageSearch('/review', parseReviewSearch)
