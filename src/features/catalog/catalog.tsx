import { memo, useCallback, useRef, useState } from 'react'
import { appErrorShape } from '../../api/request.ts'
import { useCommand } from '../../commands/handlers.ts'
import { formatCount } from '../../lib/format.ts'
import { useGo, usePlace } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './catalog.module.css'
import { CatalogTree, type CatalogTreeHandle } from './catalog-tree.tsx'
import { FilterChips } from './filter-chips.tsx'
import { SearchField } from './search-field.tsx'
import { useRows } from './use-rows.ts'

/** The left pane: search, filters and the tree of all tools. Nothing that is typed in a form renders it. */
export const Catalog = memo(function Catalog() {
  const place = usePlace()
  const go = useGo()
  const search = useRef<HTMLInputElement>(null)
  const tree = useRef<CatalogTreeHandle>(null)
  const [collapsed, setCollapsed] = useState<readonly string[]>([])
  const [range, setRange] = useState({ from: 0, to: 0 })
  const rows = useRows(place, collapsed, range.from, range.to)

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
    search.current?.focus()
    search.current?.select()
  }
  useCommand('search', focusSearch)
  useCommand('clear-search', clear, Boolean(place.q || place.filter || place.source))
  useCommand('unfold-all', () => setCollapsed([]), collapsed.length > 0)

  const page = rows.first
  return (
    <section className={styles.catalog} aria-label="Catalog">
      <SearchField
        ref={search}
        value={place.q ?? ''}
        onChange={q => go({ q: q || undefined }, { replace: true })}
        count={page && <Count {...page} />}
        onDown={() => tree.current?.focus()}
        onEnter={() => tree.current?.open()}
      />
      <FilterChips />
      {rows.error ? (
        <div style={{ padding: 12 }}>
          <ErrorNote {...appErrorShape(rows.error)} />
        </div>
      ) : null}
      {page && page.rowCount > 0 && (
        <CatalogTree
          ref={tree}
          rows={rows}
          rowCount={page.rowCount}
          selectedRef={place.tool}
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
    <span className={styles.count} data-testid="catalog-count" role="status">
      {formatCount(matched)} of {formatCount(total)}
    </span>
  )
}
