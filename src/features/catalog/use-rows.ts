import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogRow, RowPage } from '../../../core/catalog/rows.ts'
import { useBackend } from '../../api/backend.ts'
import { buildRowsQuery, rowWindow } from '../../api/queries.ts'
import { parseFilters, parseSources, type WorkbenchSearch } from '../../navigation.ts'

export type RowsSearch = Pick<WorkbenchSearch, 'q' | 'filter' | 'source'>

export interface Rows {
  /** The first window: the counts and the first rows. */
  readonly first: RowPage | undefined
  readonly error: unknown
  /** Returns the row at a position if its window is loaded. */
  at(index: number): CatalogRow | undefined
  /** Returns the row at a position, and loads its window first if it is missing. */
  load(index: number): Promise<CatalogRow | undefined>
  /** Whether the rows on screen belong to the current search. */
  readonly areCurrent: boolean
  /** Whether the rows are current and belong to this search text. */
  areOf(q: string): boolean
  /** Returns the ref of the first tool that a search text finds. */
  firstTool(q: string): Promise<string | undefined>
  /** Returns the position of a tool; undefined if its row is hidden. */
  locate(ref: string): Promise<number | undefined>
}

/** The numbers of the windows on screen. */
export interface WindowRange {
  readonly first: number
  readonly last: number
}

/** Returns the windows that contain the rows at two positions. */
export function toWindowRange(from: number, to: number): WindowRange {
  return { first: Math.floor(from / rowWindow), last: Math.floor(to / rowWindow) }
}

/** Returns the catalog's rows in windows; only those on screen are requested. */
export function useRows(search: RowsSearch, collapsed: readonly string[], visibleRange: WindowRange): Rows {
  const backend = useBackend()
  const client = useQueryClient()
  const options = (page: number) => ({
    q: search.q ?? '',
    source: parseSources(search.source),
    filter: parseFilters(search.filter),
    collapsed: JSON.stringify(collapsed),
    offset: page * rowWindow,
    limit: rowWindow,
  })
  const query = (page: number) => buildRowsQuery(backend, options(page))
  // The first window keeps its last answer while the next one loads. The others must not, because their rows differ.
  const first = useQuery({ ...query(0), placeholderData: keepPreviousData })
  const pages = furtherPages(visibleRange)
  const others = useQueries({ queries: pages.map(query) })
  const byPage = new Map(pages.map((page, index) => [page, others[index]?.data]))
  return {
    first: first.data,
    error: first.error,
    at(index) {
      const page = Math.floor(index / rowWindow)
      const data = page === 0 ? first.data : byPage.get(page)
      return data?.rows[index % rowWindow]
    },
    async load(index) {
      const page = await client.ensureQueryData(query(Math.floor(index / rowWindow)))
      return page.rows[index % rowWindow]
    },
    areCurrent: !first.isPlaceholderData,
    areOf: q => q === (search.q ?? '') && !first.isPlaceholderData,
    async firstTool(q) {
      const page = await client.ensureQueryData(buildRowsQuery(backend, { ...options(0), q }))
      return page.rows.find(row => row.kind === 'tool')?.tool.ref
    },
    async locate(ref) {
      const ask = { ...options(0), limit: 1, find: ref }
      const page = await client.ensureQueryData(buildRowsQuery(backend, ask))
      return page.foundAt
    },
  }
}

function furtherPages({ first, last }: WindowRange): number[] {
  const pages: number[] = []
  for (let page = Math.max(1, first); page <= last; page += 1) pages.push(page)
  return pages
}
