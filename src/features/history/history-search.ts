import { invocationOrigins, outcomeFilters, verdictFilters } from '../../../core/history/filter-values.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import type { HistoryQuery } from '../../api/history.ts'
import { textParameter, usePageSearch } from '../../ui/route-search.ts'

/** The state of the history page that is kept in the URL: the filters and the open call. */
export interface HistorySearch {
  /** Ref or name of a tool. */
  readonly tool?: string
  readonly source?: string
  readonly outcome?: (typeof outcomeFilters)[number]
  readonly verdict?: (typeof verdictFilters)[number]
  readonly origin?: (typeof invocationOrigins)[number]
  readonly text?: string
  /** One of `ages`. */
  readonly age?: string
  /** `yes`: pinned calls alone. */
  readonly pinned?: string
  /** Id of the call that is open. */
  readonly call?: string
  /** Id of the call it is compared with. */
  readonly with?: string
}

/** The periods of the age filter, in milliseconds. */
export const ages = { '1h': 3_600_000, '1d': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const

/** `since` is rounded to a minute: otherwise every render would send another query. */
const sinceStepMs = 60_000

function oneOf<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice | undefined {
  return choices.find(choice => choice === value)
}

/** Reads search parameters of any shape. Never throws: unknown keys and values are dropped. */
export function parseHistorySearch(search: Record<string, unknown>): HistorySearch {
  return withoutUndefined({
    tool: textParameter(search.tool),
    source: textParameter(search.source, 1000),
    outcome: oneOf(search.outcome, outcomeFilters),
    verdict: oneOf(search.verdict, verdictFilters),
    origin: oneOf(search.origin, invocationOrigins),
    text: textParameter(search.text, 500),
    age: oneOf(search.age, Object.keys(ages)),
    pinned: oneOf(search.pinned, ['yes']),
    call: textParameter(search.call, 100),
    with: textParameter(search.with, 100),
  })
}

/** The query to the server for the filters. `now`: milliseconds since 1970. */
export function queryOf(place: HistorySearch, now: number): HistoryQuery {
  const { age, pinned, call: _call, with: _with, ...filters } = place
  const reach = age === undefined ? undefined : ages[age as keyof typeof ages]
  const since = reach && new Date(Math.floor((now - reach) / sinceStepMs) * sinceStepMs).toISOString()
  return withoutUndefined({ ...filters, since, pinned: pinned && 'true' })
}

/** Whether any filter is set. */
export const isFiltered = ({ call: _call, with: _with, ...filters }: HistorySearch) =>
  Object.keys(filters).length > 0

export const useHistorySearch = () => usePageSearch('/history', parseHistorySearch)
