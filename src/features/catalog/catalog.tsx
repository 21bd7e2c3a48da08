import { memo, useCallback, useRef, useState } from 'react'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import styles from './catalog.module.css'
import { CatalogTree, type CatalogTreeHandle } from './catalog-tree.tsx'
import { FilterChips } from './filter-chips.tsx'
import { SearchField } from './search-field.tsx'
import { useRows } from './use-rows.ts'

/** The left pane: search, filters and the tree of all tools. Nothing that is typed in a form renders it. */
export const Catalog = memo(function Catalog() {
  const search = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const tree = useRef<CatalogTreeHandle>(null)
  const [collapsed, setCollapsed] = useState<readonly string[]>([])
  const [range, setRange] = useState({ from: 0, to: 0 })
  const rows = useRows(search, collapsed, range.from, range.to)

  const onFold = useCallback(
    (id: string, folded: boolean) =>
      setCollapsed(before => (folded ? [...before, id] : before.filter(each => each !== id))),
    [],
  )
  const onRange = useCallback(
    (from: number, to: number) =>
      setRange(before => (before.from === from && before.to === to ? before : { from, to })),
    [],
  )
  const clear = () => go({ q: undefined, filter: undefined, source: undefined })
  const focusSearch = () => {
    searchField.current?.focus()
    searchField.current?.select()
  }
  useShortcut('search', focusSearch)
  useShortcut('clear-search', clear, Boolean(search.q || search.filter || search.source))
  useShortcut('unfold-all', () => setCollapsed([]), collapsed.length > 0)

  const page = rows.first
  return (
    <section className={join('column', styles.catalog)} aria-label="Catalog">
      <SearchField
        ref={searchField}
        value={search.q ?? ''}
        onChange={q => go({ q: q || undefined }, { replace: true })}
        count={page && <Count {...page} />}
        onDown={() => tree.current?.focus()}
        onEnter={() => tree.current?.open()}
      />
      <FilterChips />
      {rows.error !== null && (
        <div style={{ padding: 12 }}>
          <ErrorNote error={rows.error} />
        </div>
      )}
      {page && page.rowCount > 0 && (
        <CatalogTree
          ref={tree}
          rows={rows}
          rowCount={page.rowCount}
          selectedRef={search.tool}
          onFold={onFold}
          onRange={onRange}
          onLeave={focusSearch}
        />
      )}
      {page && page.rowCount === 0 && (
        <EmptyState
          title={page.total === 0 ? 'No tools yet' : 'No tool matches'}
          actions={page.total > 0 && <Button onClick={clear}>Clear search and filters</Button>}
        >
          {page.total > 0 && 'Names, titles, descriptions and field names were searched.'}
        </EmptyState>
      )}
    </section>
  )
})

function Count({ matched, total }: { readonly matched: number; readonly total: number }) {
  return (
    <span className={join('faint', styles.count)} data-testid="catalog-count" role="status">
      {formatCount(matched)} of {formatCount(total)}
    </span>
  )
}
