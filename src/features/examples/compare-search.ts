import { textParameters, usePageSearch } from '../../ui/route-search.ts'

/**
 * Parses the state of the page that the URL contains: the two sources. A link never calls. Never throws: unknown keys
 * and values are dropped.
 */
export const parseCompareSearch = (search: Record<string, unknown>) => textParameters(search, ['a', 'b'])

export const useCompareSearch = () => usePageSearch('/compare', parseCompareSearch)
