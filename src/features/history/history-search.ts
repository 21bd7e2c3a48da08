import { invocationOrigins, outcomeFilters, verdictFilters } from '../../../core/api/history-filters.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import type { HistoryQuery } from '../../api/history.ts'
import { pickChoice, textParameter, usePageSearch } from '../../ui/route-search.ts'

/** The periods of the age filter, in milliseconds. */
const ages = { '1h': 3_600_000, '1d': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const

/** `since` is rounded to a minute: otherwise every render would send another query. */
const sinceStepMs = 60_000

/**
 * Parses the state of the history page that the URL contains: the filters and the open call. Never throws: unknown keys
 * and values are dropped.
 */
export function parseHistorySearch(search: Record<string, unknown>) {
  return withoutUndefined({
    /** Ref or name of a tool. */
    tool: textParameter(search.tool),
    source: textParameter(search.source, 1000),
    outcome: pickChoice(search.outcome, outcomeFilters),
    verdict: pickChoice(search.verdict, verdictFilters),
    origin: pickChoice(search.origin, invocationOrigins),
    person: textParameter(search.person, 200),
    text: textParameter(search.text, 500),
    age: pickChoice(search.age, Object.keys(ages)),
    /** `yes`: only pinned calls. */
    pinned: pickChoice(search.pinned, ['yes']),
    /** Id of the open call. */
    call: textParameter(search.call, 100),
    /** Id of the call that it is compared with. */
    with: textParameter(search.with, 100),
  })
}

type HistorySearch = ReturnType<typeof parseHistorySearch>

/** Returns the query to the server for the filters. `now`: milliseconds since 1970. */
export function toHistoryQuery(search: HistorySearch, now: number): HistoryQuery {
  const { age, pinned, call: _call, with: _with, ...filters } = search
  const reach = age === undefined ? undefined : ages[age as keyof typeof ages]
  const since = reach && new Date(Math.floor((now - reach) / sinceStepMs) * sinceStepMs).toISOString()
  return withoutUndefined({ ...filters, since, pinned: pinned && 'true' })
}

/** Returns whether any filter is set. */
export const isFiltered = ({ call: _call, with: _with, ...filters }: HistorySearch) =>
  Object.keys(filters).length > 0

export const useHistorySearch = () => usePageSearch('/history', parseHistorySearch)
