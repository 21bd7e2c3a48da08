import { textParameters, usePageSearch } from '../../ui/route-search.ts'

/** Parses the console's URL parameters: the name of the saved script that is open. */
export function parseConsoleSearch(search: Record<string, unknown>) {
  return textParameters(search, ['script'])
}

export const useConsoleSearch = () => usePageSearch('/console', parseConsoleSearch, { replace: true })
