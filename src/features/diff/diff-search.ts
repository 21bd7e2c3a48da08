import type { Severity } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameter, textParameters, usePageSearch } from '../../ui/route-search.ts'

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
      /** Severities that are shown, comma separated; absent is all. */
      show: parseSeverities(textParameter(search.show)).join(',') || undefined,
      /** Severities by what any value meets. */
      strict: search.strict === '1' ? '1' : undefined,
    }),
  }
}

/** `breaking,warning` as the severities that exist. */
export function parseSeverities(text: string | undefined): Severity[] {
  const words = new Set(text?.split(','))
  return severities.filter(severity => words.has(severity))
}

export const useDiffSearch = () => usePageSearch('/diff', parseDiffSearch)
