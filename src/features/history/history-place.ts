import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { invocationOrigins, outcomeFilters, verdictFilters } from '../../../core/history/filter-values.ts'
import type { HistoryQuery } from '../../api/history.ts'

/** Which calls are listed, and which is open. All of it stands in the URL. */
export interface HistoryPlace {
  /** Ref or name of a tool. */
  readonly tool?: string
  readonly source?: string
  readonly outcome?: string
  readonly verdict?: string
  readonly origin?: string
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

/** How far back the list goes, in milliseconds. */
export const ages = { '1h': 3_600_000, '1d': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const

/** A query's `since` moves in steps of a minute: else each drawing would be another query. */
const step = 60_000

function oneOf(value: unknown, choices: readonly string[]): string | undefined {
  return choices.find(choice => choice === value)
}

function textOf(value: unknown, length = 10_000): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, length) : undefined
}

/** Reads a place from search parameters of any shape. Never throws: what is not understood is left out. */
export function parseHistoryPlace(search: Record<string, unknown>): HistoryPlace {
  const entries = Object.entries({
    tool: textOf(search.tool),
    source: textOf(search.source, 1000),
    outcome: oneOf(search.outcome, outcomeFilters),
    verdict: oneOf(search.verdict, verdictFilters),
    origin: oneOf(search.origin, invocationOrigins),
    text: textOf(search.text, 500),
    age: oneOf(search.age, Object.keys(ages)),
    pinned: oneOf(search.pinned, ['yes']),
    call: textOf(search.call, 100),
    with: textOf(search.with, 100),
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** The place as the query of the server's route. `now`: milliseconds since 1970. */
export function queryOf(place: HistoryPlace, now: number): HistoryQuery {
  const { tool, source, outcome, verdict, origin, text, age, pinned } = place
  const reach = age === undefined ? undefined : ages[age as keyof typeof ages]
  const since = reach && new Date(Math.floor((now - reach) / step) * step).toISOString()
  const entries = Object.entries({
    tool,
    source,
    outcome,
    verdict,
    origin,
    text,
    since,
    pinned: pinned && 'true',
  })
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Whether the list is narrowed at all. */
export const isFiltered = ({ call: _call, with: _with, ...filters }: HistoryPlace) =>
  Object.keys(filters).length > 0

export function useHistoryPlace(): HistoryPlace {
  return useSearch({ from: '/history' })
}

/** Goes to another place of the history; parts that are not named stay, parts that are undefined go. */
export function useGoHistory() {
  const navigate = useNavigate({ from: '/history' })
  return useCallback(
    (
      change: { [Key in keyof HistoryPlace]?: HistoryPlace[Key] | undefined },
      options: { replace?: boolean } = {},
    ) => {
      void navigate({
        to: '/history',
        search: previous => parseHistoryPlace({ ...previous, ...change }),
        replace: options.replace ?? false,
      })
    },
    [navigate],
  )
}
