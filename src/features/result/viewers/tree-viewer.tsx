import { type KeyboardEvent, useCallback, useId, useMemo, useState } from 'react'
import type { ValidationIssue } from '../../../../core/call/invocation.ts'
import { join } from '../../../ui/join.ts'
import { runKey } from '../../../ui/run-key.ts'
import { useVirtualRows, VirtualRows } from '../../../ui/virtual-rows.tsx'
import styles from './tree.module.css'
import { TreeRow } from './tree-row.tsx'
import { firstOpened, placeIssues, type TreeRow as Row, treeRows } from './tree-rows.ts'

interface TreeViewerProps {
  readonly value: unknown
  readonly issues: readonly ValidationIssue[]
}

/** A JSON value as a tree that opens on demand. Only the lines on screen are drawn. */
export function TreeViewer({ value, issues }: TreeViewerProps) {
  const treeId = useId()
  const placed = useMemo(() => placeIssues(value, issues), [value, issues])
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([...firstOpened(value), ...placed.opened]),
  )
  const [active, setActive] = useState(-1)
  const rows = useMemo(() => treeRows(value, opened, placed.byId), [value, opened, placed])
  const { scroller, virtualizer } = useVirtualRows(rows.length, 21, {
    getItemKey: index => rows[index]?.id ?? index,
    overscan: 12,
  })

  const toggle = useCallback((id: string, open: boolean) => {
    setOpened(before => {
      const next = new Set(before)
      if (open) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  const press = (row: Row, index: number) => {
    setActive(index)
    // Marking text with the pointer is no click on the row.
    if (row.openable && !getSelection()?.toString()) toggle(row.id, !row.open)
  }
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }
  const parentOf = (index: number) => {
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
      ['ArrowLeft', () => (row?.open ? toggle(row.id, false) : moveTo(parentOf(active)))],
      ['Enter', () => row?.openable && toggle(row.id, !row.open)],
      [' ', () => row?.openable && toggle(row.id, !row.open)],
      ['Home', () => moveTo(0)],
      ['End', () => moveTo(rows.length - 1)],
    ])
    runKey(event, actions)
  }

  const current = active < rows.length ? active : -1
  return (
    <div
      ref={scroller}
      className={join('scroll', styles.tree)}
      role="tree"
      aria-label="Result"
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
              />
            )
          )
        }}
      </VirtualRows>
    </div>
  )
}
