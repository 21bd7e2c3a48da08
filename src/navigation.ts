import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ToolFilter } from '../core/catalog/rows.ts'
import { withoutUndefined } from '../core/json/json.ts'
import { type SearchChange, textParameter, textParameters } from './ui/route-search.ts'

/** The names of the filters on the page. A filter without a name does not compile. */
export const filterLabels = {
  'read-only': 'read-only',
  destructive: 'destructive',
  'typed-output': 'typed output',
  callable: 'callable',
  app: 'app',
  'for-apps': 'only for apps',
} as const satisfies Record<ToolFilter, string>

export const toolFilters = Object.keys(filterLabels) as readonly ToolFilter[]

/** The tabs of a tool after its form, in order. */
const otherTabs = ['json', 'reference', 'versions', 'examples'] as const

export type ToolTab = 'form' | (typeof otherTabs)[number]

/** Old names of the reference tab, which links may still contain. */
const formerReferenceTabs: readonly unknown[] = ['schema', 'help']

/**
 * Parses the state of the workbench that the URL contains. Default values are absent. Never throws: unknown keys and
 * values are dropped.
 */
export function parseWorkbenchSearch(search: Record<string, unknown>) {
  return {
    // `tool`: ref of the open tool; `q`: search text; `source`: sources that limit the list, comma separated; `about`:
    // source whose page is open; `agent`: `source/name` of the agent whose page is open or, with `tool`, that the tool
    // is called for.
    ...textParameters(search, ['tool', 'q', 'source', 'about', 'agent']),
    ...withoutUndefined({
      tab: formerReferenceTabs.includes(search.tab)
        ? ('reference' as const)
        : otherTabs.find(each => each === search.tab),
      /** The active filters, comma separated. */
      filter: parseFilters(textParameter(search.filter)).join(',') || undefined,
    }),
  }
}

export type WorkbenchSearch = ReturnType<typeof parseWorkbenchSearch>

/** Parses `read-only,callable`; drops unknown filters. */
export function parseFilters(text: string | undefined): ToolFilter[] {
  const words = new Set(text?.split(','))
  return toolFilters.filter(filter => words.has(filter))
}

export function parseSources(text: string | undefined): string[] {
  return text ? text.split(',') : []
}

/** Parses `?tool=…`. Values are plain words and not JSON: a query of digits stays text, and the URL stays readable. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) if (typeof value === 'string') params.set(key, value)
  // A ref is easier to read as acme/api+greet; a query may contain slashes, colons and commas (RFC 3986 3.4).
  const text = params.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text && `?${text}`
}

const emptySearch: WorkbenchSearch = {}

/** Returns the workbench's search parameters; none on another page. */
export function useWorkbenchSearch(): WorkbenchSearch {
  return useSearch({ from: '/', shouldThrow: false }) ?? emptySearch
}

/** Drops the agent if the tool or the source changes, unless the change sets the agent too. */
function dropAgent(change: object): { agent?: undefined } {
  return 'tool' in change || 'about' in change ? { agent: undefined } : {}
}

/** Returns a function that navigates within the workbench: absent keys keep their value, `undefined` removes it. */
export function useWorkbenchNavigate() {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(
    (change: SearchChange<WorkbenchSearch>, options: { replace?: boolean } = {}) => {
      const { pathname, search } = router.state.location
      // The parameters of another page have other meanings.
      const previous = pathname === '/' ? search : {}
      void navigate({
        to: '/',
        search: parseWorkbenchSearch({ ...previous, ...dropAgent(change), ...change }),
        replace: options.replace ?? false,
      })
    },
    [navigate, router],
  )
}
