import type { Severity } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameter, textParameters, usePageSearch } from '../../ui/route-search.ts'

/**
 * Parses the state of the diff page that the URL contains. Default values are absent. Never throws: unknown keys and
 * values are dropped.
 */
export function parseDiffSearch(search: Record<string, unknown>) {
  return {
    // The two references (a source's name, a file, `git:REV:path`, a URL), the only tool that is shown, the text that a
    // change must contain, and the tool whose schemas are open side by side.
    ...textParameters(search, ['a', 'b', 'tool', 'q', 'schemas']),
    ...withoutUndefined({
      /** The severities that are shown, comma separated; absent is all. */
      show: parseSeverities(textParameter(search.show)).join(',') || undefined,
      /** `1`: severities for any value that the schema allows, not only for declared callers. */
      strict: search.strict === '1' ? '1' : undefined,
    }),
  }
}

/** Parses `breaking,warning`; drops unknown severities. */
export function parseSeverities(text: string | undefined): Severity[] {
  const words = new Set(text?.split(','))
  return severities.filter(severity => words.has(severity))
}

export const useDiffSearch = () => usePageSearch('/diff', parseDiffSearch)
