import type { Direction } from '../../../core/diff/change.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { textParameter, textParameters, usePageSearch } from '../../ui/route-search.ts'
import { type ChangeKind, changeKinds, directions } from './change-kind.ts'

/** The state of the diff page that is kept in the URL. Values at their default are absent. */
export interface DiffSearch {
  /** The two references: a source's name, a file, `git:REV:path`, a URL. */
  readonly a?: string
  readonly b?: string
  /** Kinds that are shown, comma separated; absent is all. */
  readonly show?: string
  readonly direction?: Direction
  /** The one tool that is shown. */
  readonly tool?: string
  /** Text that a change has to hold. */
  readonly q?: string
  /** The tool whose schemas are open side by side. */
  readonly schemas?: string
}

/** Reads search parameters of any shape. Never throws: unknown keys and values are dropped. */
export function parseDiffSearch(search: Record<string, unknown>): DiffSearch {
  return withoutUndefined({
    ...textParameters(search, ['a', 'b', 'tool', 'q', 'schemas']),
    show: parseKinds(textParameter(search.show)).join(',') || undefined,
    direction: directions.find(direction => direction === search.direction),
  })
}

/** `breaking,undecided` as the kinds that exist. */
export function parseKinds(text: string | undefined): ChangeKind[] {
  const words = new Set(text?.split(','))
  return changeKinds.filter(kind => words.has(kind))
}

export const useDiffSearch = () => usePageSearch('/diff', parseDiffSearch)
