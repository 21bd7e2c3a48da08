import { Search, X } from 'lucide-react'
import { memo, useCallback, useRef, useState } from 'react'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount } from '../../ui/format.ts'
import { requestInputFocus } from '../../ui/input-focus.ts'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import styles from './catalog.module.css'
import { CatalogTree, type CatalogTreeHandle } from './catalog-tree.tsx'
import { FilterChips } from './filter-chips.tsx'
import { KeptToolsList } from './kept-tools-list.tsx'
import { useRows, type WindowRange, windowsOf } from './use-rows.ts'

/** The left pane: search, filters and the tree of all tools. Nothing that is typed in a form renders it. */
export const Catalog = memo(function Catalog() {
  const search = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const tree = useRef<CatalogTreeHandle>(null)
  const [collapsed, setCollapsed] = useState<readonly string[]>([])
  const [shown, setShown] = useState<WindowRange>({ first: 0, last: 0 })
  const rows = useRows(search, collapsed, shown)

  const onFold = useCallback(
    (id: string, folded: boolean) =>
      setCollapsed(before => (folded ? [...before, id] : before.filter(each => each !== id))),
    [],
  )
  // Most steps of the wheel stay within a window, and draw nothing but the tree.
  const onRange = useCallback((from: number, to: number) => {
    const next = windowsOf(from, to)
    setShown(before => (before.first === next.first && before.last === next.last ? before : next))
  }, [])
  const clear = () => go({ q: undefined, filter: undefined, source: undefined })
  const focusSearch = () => {
    searchField.current?.focus()
    searchField.current?.select()
  }
  useShortcut('search', focusSearch)
  useShortcut('clear-search', clear, Boolean(search.q || search.filter || search.source))
  useShortcut('unfold-all', () => setCollapsed([]), collapsed.length > 0)

  const page = rows.first
  /** What was typed, although the list may still show what was typed before. */
  const openTyped = (q: string) => {
    if (rows.areOf(q)) tree.current?.open()
    else {
      const found = rows.firstTool(q).catch(() => undefined)
      requestInputFocus(found)
      void found.then(tool => tool && go({ q: q || undefined, tool, about: undefined }))
    }
  }
  const fieldKeys = new Map([
    ['ArrowDown', () => tree.current?.focus()],
    ['Enter', openTyped],
  ])
  return (
    <section className={join('column', styles.catalog)} aria-label="Catalog">
      <FilterField
        ref={searchField}
        className={styles.field}
        testId="catalog-search"
        label="Search the catalog"
        placeholder="Search tools"
        icon={<Search size={14} aria-hidden />}
        value={search.q ?? ''}
        onChange={q => go({ q: q || undefined }, { replace: true })}
        keys={fieldKeys}
      >
        {(text, setText) => (
          <>
            {page && <Count {...page} />}
            {text === '' ? (
              <ShortcutKeys id="search" />
            ) : (
              <button
                type="button"
                className={styles.clear}
                aria-label="Clear search"
                onClick={() => setText('')}
              >
                <X size={14} aria-hidden />
              </button>
            )}
          </>
        )}
      </FilterField>
      <FilterChips />
      {rows.error !== null && (
        <div style={{ padding: 12 }}>
          <ErrorNote error={rows.error} />
        </div>
      )}
      {!(search.q || search.filter || search.source) && <KeptToolsList />}
      {page?.partial && (
        <p className={join('note', styles.partial)} role="status">
          No tool has all these words. Best matches:
        </p>
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
          {page.total > 0 && 'No name, title, description or field has any of these words.'}
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
