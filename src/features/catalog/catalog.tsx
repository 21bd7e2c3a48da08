import { Clock3, Eye, type LucideIcon, Search, Star, TriangleAlert, X } from 'lucide-react'
import { memo, useCallback, useRef, useState } from 'react'
import type { ToolFilter } from '../../../core/catalog/rows.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useBackend } from '../../api/backend.ts'
import { useSources } from '../../api/use-sources.ts'
import {
  filterLabels,
  parseFilters,
  parseSources,
  toolFilters,
  useWorkbenchNavigate,
  useWorkbenchSearch,
} from '../../navigation.ts'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount } from '../../ui/format.ts'
import { requestInputFocus } from '../../ui/input-focus.ts'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { storage } from '../../ui/storage.ts'
import { recentTools, useFavoriteTools } from '../../ui/stored-tools.ts'
import chipStyles from '../../ui/toggle-buttons.module.css'
import { ToggleChips } from '../../ui/toggle-buttons.tsx'
import styles from './catalog.module.css'
import { CatalogTree, type CatalogTreeHandle } from './catalog-tree.tsx'
import { toWindowRange, useRows, type WindowRange } from './use-rows.ts'

/** The left pane: search, filters and the tree of all tools. Typing in a form does not render it. */
export const Catalog = memo(function Catalog() {
  const search = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const tree = useRef<CatalogTreeHandle>(null)
  const [collapsed, setCollapsed] = useState<readonly string[]>([])
  const [visibleRange, setVisibleRange] = useState<WindowRange>({ first: 0, last: 0 })
  const rows = useRows(search, collapsed, visibleRange)

  const onFold = useCallback(
    (id: string, folded: boolean) =>
      setCollapsed(before => (folded ? [...before, id] : before.filter(each => each !== id))),
    [],
  )
  // Most scroll steps stay within a window, so they render only the tree.
  const onRange = useCallback((from: number, to: number) => {
    const next = toWindowRange(from, to)
    setVisibleRange(before => (before.first === next.first && before.last === next.last ? before : next))
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
  /** Opens the first result of the typed text, although the list may still show older results. */
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
      {!(search.q || search.filter || search.source) && <StoredToolsList />}
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
          {page.total > 0 && 'No tool has one of these words in its name, title, description or fields.'}
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

const closedKey = 'toolscope:kept-tools-closed'
/** Recent tools that are listed next to the favorites; the palette has more. */
const maxRecents = 3

/**
 * Favorites and recently opened tools, above the tree; nothing if there are none. A tool that is opened while the list
 * is shown is not added, because the tree below must not move under the pointer.
 */
const StoredToolsList = memo(function StoredToolsList() {
  const go = useWorkbenchNavigate()
  const favorites = useFavoriteTools()
  const [opened] = useState(recentTools)
  const recents = opened.filter(({ ref }) => favorites.every(each => each.ref !== ref)).slice(0, maxRecents)
  const rows = [
    ...favorites.map(tool => ({ tool, icon: Star, of: 'Favorite' })),
    ...recents.map(tool => ({ tool, icon: Clock3, of: 'Recent' })),
  ]
  if (rows.length === 0) return null
  return (
    <details
      className={styles.kept}
      open={storage.get(closedKey) === null}
      onToggle={event =>
        event.currentTarget.open ? storage.remove(closedKey) : storage.set(closedKey, 'yes')
      }
    >
      <summary className="note">Favorites and recent</summary>
      <ul aria-label="Favorites and recent tools">
        {rows.map(({ tool, icon: Icon, of }) => (
          <li key={tool.ref}>
            <button
              type="button"
              className={join('hoverable', styles.keptTool)}
              onClick={() => go({ tool: tool.ref, about: undefined })}
            >
              <Icon size={13} role="img" aria-label={of} />
              <code className="truncate">{visibleName(tool.name)}</code>
              <span className="note truncate">{tool.source}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
})

/** Switches for the filters, and the sources that the list is limited to. */
function FilterChips() {
  const search = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const on = parseFilters(search.filter)
  const sources = parseSources(search.source)
  const { data: known = [] } = useSources()
  const backend = useBackend()
  // A filter that fits all tools, or none of them, is useless.
  const mixed = backend.has('POST /api/invocations') && known.some(source => !source.callable)
  const hasApps = known.some(source => source.hasApps)
  const isUseful: Partial<Record<ToolFilter, boolean>> = {
    callable: mixed,
    app: hasApps,
    'for-apps': hasApps,
  }
  const offered = toolFilters.filter(filter => isUseful[filter] !== false || on.includes(filter))
  return (
    <div className={styles.chips}>
      {sources.map(source => (
        <button
          key={source}
          type="button"
          className={chipStyles.chip}
          aria-pressed
          aria-label={`Only source ${source}: show all again`}
          onClick={() => go({ source: sources.filter(each => each !== source).join(',') || undefined })}
        >
          <span className="truncate">{source}</span> <X size={11} aria-hidden />
        </button>
      ))}
      <ToggleChips
        legend="Filters"
        choices={offered.map(value => ({
          value,
          label: <FilterLabel filter={value} />,
          ...(titles[value] && { title: titles[value] }),
        }))}
        pressed={on}
        onChange={next => go({ filter: next.join(',') || undefined }, { replace: true })}
      />
    </div>
  )
}

const icons: Partial<Record<ToolFilter, LucideIcon>> = { 'read-only': Eye, destructive: TriangleAlert }
const addUp = 'Read-only and destructive together show both.'
const titles: Partial<Record<ToolFilter, string>> = { 'read-only': addUp, destructive: addUp }

function FilterLabel({ filter }: { readonly filter: ToolFilter }) {
  const Icon = icons[filter]
  return (
    <>
      {Icon && <Icon size={11} aria-hidden />}
      {filterLabels[filter]}
    </>
  )
}
