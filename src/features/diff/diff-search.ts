import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameter, textParameters, usePageSearch } from '../../ui/route-search.ts'
import { type ChangeKind, changeKinds, directions } from './change-kind.ts'

/**
 * The state of the diff page that is kept in the URL. Values at their default are absent. Never throws: unknown keys and
 * values are dropped.
 */
export function parseDiffSearch(search: Record<string, unknown>) {
  return {
    // The two references (a source's name, a file, `git:REV:path`, a URL), the one tool that is shown, the text that a
    // change has to hold, and the tool whose schemas are open side by side.
    ...textParameters(search, ['a', 'b', 'tool', 'q', 'schemas']),
    ...withoutUndefined({
      /** Kinds that are shown, comma separated; absent is all. */
      show: parseKinds(textParameter(search.show)).join(',') || undefined,
      direction: directions.find(direction => direction === search.direction),
    }),
  }
}

/** `breaking,undecided` as the kinds that exist. */
export function parseKinds(text: string | undefined): ChangeKind[] {
  const words = new Set(text?.split(','))
  return changeKinds.filter(kind => words.has(kind))
}

export const useDiffSearch = () => usePageSearch('/diff', parseDiffSearch)
