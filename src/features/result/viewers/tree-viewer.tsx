import { isLosslessNumber } from 'lossless-json'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterField } from '../../../ui/filter-field.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { EmptyState } from '../../../ui/notes.tsx'
import { runKey } from '../../../ui/shortcut-handlers.ts'
import { useVirtualRows, VirtualRows } from '../../../ui/virtual-rows.tsx'
import { texts } from '../texts.ts'
import styles from './tree.module.css'
import { TreeRow } from './tree-row.tsx'
import { firstOpened, locateIssues, nearestNode, type TreeRow as Row, treeRows } from './tree-rows.ts'
import { searchTree, type TreeFilter } from './tree-search.ts'

const searchKeysAndValues = 'Search keys and values'

interface TreeViewerProps {
  readonly value: unknown
  readonly issues: readonly ValidationIssue[]
}

interface Searched {
  readonly filter: TreeFilter | undefined
  readonly opened: ReadonlySet<string>
}

/** A JSON value as a tree that opens on demand. Only the visible rows are rendered. */
export function TreeViewer({ value, issues }: TreeViewerProps) {
  const treeId = useId()
  const [active, setActive] = useState(-1)
  const { text, setText, filter, rows, toggle, openWayTo } = useRows(value, issues, () => setActive(-1))
  const isNothing = filter?.matches.size === 0
  const { scroller, virtualizer } = useVirtualRows(rows.length, 21, {
    getItemKey: index => rows[index]?.id ?? index,
    overscan: 12,
  })

  const press = (row: Row, index: number) => {
    setActive(index)
    // Selecting text with the pointer is not a click on the row.
    if (row.openable && !getSelection()?.toString()) toggle(row.id, !row.open)
  }
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }
  /** After the search the active row stays visible, among its neighbours. */
  const search = (next: string) => {
    setText(next)
    const row = next === '' ? rows[active] : undefined
    if (!row) return
    const index = openWayTo(row.id)
    setActive(index)
    setTarget({ index })
  }
  const [target, setTarget] = useState<{ readonly index: number }>()
  useEffect(() => {
    if (target) virtualizer.scrollToIndex(target.index, { align: 'center' })
  }, [target, virtualizer])
  const enterMatches = () => {
    const first = rows.findIndex(({ id }) => filter?.matches.has(id))
    if (first < 0) return
    // The focus by itself would make the first row active.
    scroller.current?.focus()
    moveTo(first)
  }
  const findParentIndex = (index: number) => {
    const depth = rows[index]?.depth ?? 0
    let at = index
    while (at > 0 && (rows[at]?.depth ?? 0) >= depth) at -= 1
    return at
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active]
    const actions = new Map<string, () => void>([
      ['ArrowDown', () => moveTo(active + 1)],
      ['ArrowUp', () => moveTo(active - 1)],
      ['ArrowRight', () => (row?.openable && !row.open ? toggle(row.id, true) : moveTo(active + 1))],
      ['ArrowLeft', () => (row?.open ? toggle(row.id, false) : moveTo(findParentIndex(active)))],
      ['Enter', () => row?.openable && toggle(row.id, !row.open)],
      [' ', () => row?.openable && toggle(row.id, !row.open)],
      ['Home', () => moveTo(0)],
      ['End', () => moveTo(rows.length - 1)],
    ])
    runKey(event, actions)
  }

  const current = active < rows.length ? active : -1
  const tree = (
    <div
      ref={scroller}
      className={join('scroll', styles.tree)}
      role="tree"
      aria-label={texts.result}
      tabIndex={0}
      aria-activedescendant={current < 0 ? undefined : `${treeId}${current}`}
      onKeyDown={onKeyDown}
      onFocus={() => active < 0 && setActive(0)}
    >
      <VirtualRows virtualizer={virtualizer}>
        {item => {
          const row = rows[item.index]
          return (
            row && (
              <TreeRow
                key={item.key}
                ref={virtualizer.measureElement}
                row={row}
                index={item.index}
                top={item.start}
                active={item.index === current}
                elementId={`${treeId}${item.index}`}
                onPress={press}
                wanted={filter ? text : ''}
              />
            )
          )
        }}
      </VirtualRows>
    </div>
  )
  // A single value has nothing to search.
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return tree
  return (
    <>
      <TreeSearchBar text={text} onText={search} filter={filter} onEnter={enterMatches} />
      {isNothing && (
        <EmptyState
          title="No key or value contains this"
          actions={<Button onClick={() => search('')}>Show everything</Button>}
        />
      )}
      {tree}
    </>
  )
}

/** Returns the visible rows: those of opened nodes, or during a search its matches. */
function useRows(value: unknown, issues: readonly ValidationIssue[], onFilter: () => void) {
  const placed = useMemo(() => locateIssues(value, issues), [value, issues])
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([...firstOpened(value), ...placed.opened]),
  )
  const { text, setText, filter } = useTreeSearch(value)
  // Each search opens the ancestors of its matches; the rows that are open without it stay open.
  const [searched, setSearched] = useState<Searched>({ filter: undefined, opened })
  if (searched.filter !== filter) {
    setSearched({ filter, opened: new Set(filter?.members.keys()) })
    if (filter) onFilter()
  }
  const visibleOpened = filter ? searched.opened : opened
  const rows = useMemo(
    () => (filter?.matches.size === 0 ? [] : treeRows(value, visibleOpened, placed.byId, filter)),
    [value, visibleOpened, placed, filter],
  )
  return {
    text,
    setText,
    filter,
    rows,
    toggle(id: string, open: boolean) {
      const change = (before: ReadonlySet<string>) => {
        const next = new Set(before)
        if (open) next.add(id)
        else next.delete(id)
        return next
      }
      if (filter) setSearched(before => ({ ...before, opened: change(before.opened) }))
      else setOpened(change)
    },
    /** Opens the ancestors of the row in the tree without a search; returns its position there. */
    openWayTo(id: string): number {
      const way = new Set(opened)
      nearestNode(value, id, way)
      setOpened(way)
      return treeRows(value, way, placed.byId).findIndex(row => row.id === id)
    },
  }
}

/** Searches a value. The filter is undefined without a text, and until the first search has ended. */
function useTreeSearch(value: unknown) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<TreeFilter>()
  useEffect(() => {
    const abort = new AbortController()
    const search = async () => {
      const filter = text === '' ? undefined : await searchTree(value, text, abort.signal)
      if (!abort.signal.aborted) setFound(filter)
    }
    void search()
    return () => abort.abort()
  }, [value, text])
  return { text, setText, filter: text === '' ? undefined : found }
}

interface TreeSearchBarProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly filter: TreeFilter | undefined
  /** Moves the focus to the first match. */
  readonly onEnter: () => void
}

/** Searches the keys and values of the tree below it. */
function TreeSearchBar({ text, onText, filter, onEnter }: TreeSearchBarProps) {
  const keys = new Map([
    ['Enter', onEnter],
    ['ArrowDown', onEnter],
  ])
  return (
    <search className={join('row', styles.search)}>
      <FilterField
        label={searchKeysAndValues}
        placeholder={searchKeysAndValues}
        value={text}
        onChange={onText}
        icon={<Search size={13} aria-hidden />}
        keys={keys}
        className={styles.field}
      />
      <span className="muted" aria-live="polite" data-testid="tree-matches">
        {filter && countText(filter)}
      </span>
    </search>
  )
}

function countText({ matches, more }: TreeFilter): string {
  if (matches.size === 0) return 'Nothing found'
  return more ? `The first ${formatCount(matches.size)} matches` : plural(matches.size, 'match', 'matches')
}
