import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type ToolFilter, toolFilters } from '../lib/tool-filters.ts'

/** The tabs of a tool besides its form, in their order. */
const otherTabs = ['json', 'schema', 'help', 'versions', 'examples'] as const

export type ToolTab = 'form' | (typeof otherTabs)[number]

/** Where the user is. All of it stands in the URL; what is at its default is left out there. */
export interface Place {
  /** Ref of the tool in the middle. */
  readonly tool?: string
  readonly tab?: Exclude<ToolTab, 'form'>
  /** Text of the search field. */
  readonly q?: string
  /** Which filters are on, comma separated. */
  readonly filter?: string
  /** To which sources the list is limited, comma separated. */
  readonly source?: string
  /** The source whose own page is in the middle. */
  readonly about?: string
  /** `source/name` of an agent: its page is in the middle, or, beside `tool`, the tool is called for it. */
  readonly agent?: string
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads a place from search parameters of any shape. Never throws: what is not understood is left out. */
export function parsePlace(search: Record<string, unknown>): Place {
  const tab = otherTabs.find(each => each === search.tab)
  const filter = parseFilters(textOf(search.filter)).join(',')
  const entries = Object.entries({
    tool: textOf(search.tool),
    tab,
    q: textOf(search.q),
    filter: filter || undefined,
    source: textOf(search.source),
    about: textOf(search.about),
    agent: textOf(search.agent),
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** `read-only,callable` as the filters that exist. */
export function parseFilters(text: string | undefined): ToolFilter[] {
  const words = new Set(text?.split(','))
  return toolFilters.filter(filter => words.has(filter))
}

export function parseSources(text: string | undefined): string[] {
  return text ? text.split(',') : []
}

/** `?tool=…` → parameters. Plain words, not JSON: a query of digits stays text, and the URL stays readable. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) if (typeof value === 'string') params.set(key, value)
  // A ref reads better as acme/api+greet than with its slash escaped; a query may hold slashes, colons and commas
  // as they are (RFC 3986 3.4).
  const text = params.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text && `?${text}`
}

const nowhere: Place = {}

/** Where in the workbench the user is now; on another page of the program, nowhere. */
export function usePlace(): Place {
  return useSearch({ from: '/', shouldThrow: false }) ?? nowhere
}

/** Who goes to a tool or a source leaves the agent behind, unless the agent is named as well. */
function leavingAgent(change: object): { agent?: undefined } {
  return 'tool' in change || 'about' in change ? { agent: undefined } : {}
}

/** Goes to another place of the workbench; parts that are not named stay, parts that are undefined go. */
export function useGo() {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(
    (change: { [Key in keyof Place]?: Place[Key] | undefined }, options: { replace?: boolean } = {}) => {
      const { pathname, search } = router.state.location
      // The parameters of another page mean something else.
      const previous = pathname === '/' ? search : {}
      void navigate({
        to: '/',
        search: parsePlace({ ...previous, ...leavingAgent(change), ...change }),
        replace: options.replace ?? false,
      })
    },
    [navigate, router],
  )
}
