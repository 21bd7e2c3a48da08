import { withoutUndefined } from '../../../core/json/json.ts'
import { pinClasses } from '../../../core/pin/pin.ts'
import { textParameters, usePageSearch } from '../../ui/route-search.ts'

/** Parses the state of the review page that the URL contains. Never throws: unknown keys and values are dropped. */
export function parseReviewSearch(search: Record<string, unknown>) {
  return {
    // The source, and the reference of the only tool that is shown.
    ...textParameters(search, ['source', 'tool']),
    ...withoutUndefined({
      /** The only class that is shown. */
      show: pinClasses.find(each => each === search.show),
    }),
  }
}

export const useReviewSearch = () => usePageSearch('/review', parseReviewSearch)
