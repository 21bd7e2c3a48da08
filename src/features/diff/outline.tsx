import { ArrowRight, Check, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { join } from '../../ui/join.ts'
import { severityLooks } from '../../ui/severity-badges.tsx'
import { useStore, type ValueStore } from '../../ui/value-store.ts'
import { rangeWith, useVirtualRows, VirtualRows } from '../../ui/virtual-rows.tsx'
import styles from './outline.module.css'
import { groupIds, groupTitles, type ReportSection } from './report-sections.ts'
import { texts } from './texts.ts'
import { VisibleText } from './visible-text.tsx'

type OutlineRow =
  | { readonly kind: 'group'; readonly title: string }
  | { readonly kind: 'section'; readonly section: ReportSection }

const rowHeight = 30

interface OutlineProps {
  readonly sections: readonly ReportSection[]
  /** The key of the section on screen. It is a store, so that only the outline renders when it changes. */
  readonly currentStore: ValueStore<string | undefined>
  readonly onPick: (section: ReportSection) => void
}

/** The tools, grouped by what happened to them. Tab reaches one of them, the arrow keys the others. */
export function Outline({ sections, currentStore, onPick }: OutlineProps) {
  const current = useStore(currentStore) ?? sections[0]?.key
  const rows = useMemo(() => outlineRows(sections), [sections])
  const [active, setActive] = useState<string>()
  const items = useMemo(
    () => rows.flatMap((row, index) => (row.kind === 'section' ? [{ index, key: row.section.key }] : [])),
    [rows],
  )
  const positions = useMemo(() => new Map(items.map(({ key }, position) => [key, position])), [items])
  const position = positions.get(active ?? current ?? '') ?? 0
  const reachable = items[position]
  const { scroller, virtualizer } = useVirtualRows<HTMLDivElement>(rows.length, rowHeight, {
    rangeExtractor: range => rangeWith(range, reachable?.index),
  })
  // The outline follows the report, unless the user has the focus in the list.
  const currentPosition = positions.get(current ?? '')
  useEffect(() => {
    const index = currentPosition === undefined ? undefined : items[currentPosition]?.index
    if (index !== undefined && !scroller.current?.matches(':hover, :focus-within'))
      virtualizer.scrollToIndex(index)
  }, [currentPosition, items, scroller, virtualizer])
  const move = (event: KeyboardEvent) => {
    const by = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -items.length,
      End: items.length,
    }[event.key]
    const next = by === undefined ? undefined : items[Math.max(0, Math.min(items.length - 1, position + by))]
    if (next === undefined) return
    event.preventDefault()
    // The item must have the focus before the next key arrives, because Enter acts on it.
    flushSync(() => setActive(next.key))
    scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
    virtualizer.scrollToIndex(next.index)
  }
  return (
    <div ref={scroller} className={styles.list}>
      <nav
        aria-label={texts.tools}
        onKeyDown={move}
        onBlur={event => {
          if (!scroller.current?.contains(event.relatedTarget)) setActive(undefined)
        }}
      >
        <VirtualRows virtualizer={virtualizer}>
          {({ index, key, start }) => {
            const row = rows[index]
            if (row?.kind === 'section')
              return (
                <OutlineItem
                  key={key}
                  section={row.section}
                  start={start}
                  isCurrent={row.section.key === current}
                  isReachable={row.section.key === reachable?.key}
                  onPick={onPick}
                />
              )
            return (
              <div key={key} className={styles.group} style={{ transform: `translateY(${start}px)` }}>
                {row?.title}
              </div>
            )
          }}
        </VirtualRows>
      </nav>
    </div>
  )
}

interface OutlineItemProps {
  readonly section: ReportSection
  readonly start: number
  readonly isCurrent: boolean
  readonly isReachable: boolean
  readonly onPick: (section: ReportSection) => void
}

/** Memoized, because the current section changes in nearly every frame while the report scrolls. */
const OutlineItem = memo(function OutlineItem(props: OutlineItemProps) {
  const { section, start, isCurrent, isReachable, onPick } = props
  return (
    <button
      type="button"
      className={styles.item}
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={isReachable ? 0 : -1}
      aria-current={isCurrent ? 'location' : undefined}
      title={section.title}
      data-testid="outline-item"
      onClick={() => onPick(section)}
    >
      <Mark section={section} />
      <span className={join('mono', styles.name)}>
        <VisibleText text={section.title} />
      </span>
      <span className="faint">{formatSectionNote(section)}</span>
    </button>
  )
})

function outlineRows(sections: readonly ReportSection[]): readonly OutlineRow[] {
  return groupIds.flatMap(group => {
    const members = sections.filter(section => section.group === group)
    if (members.length === 0) return []
    return [
      { kind: 'group' as const, title: `${groupTitles[group]} · ${members.length.toLocaleString('en')}` },
      ...members.map(section => ({ kind: 'section' as const, section })),
    ]
  })
}

/** An icon for the worst severity of a section; screen readers get the word of the group. */
function Mark({ section: { kind, group, worst } }: { readonly section: ReportSection }) {
  const look = severityLooks[worst]
  const {
    icon: Icon,
    tone,
    word,
  } = kind === 'removed'
    ? { icon: Minus, tone: 'bad', word: texts.removed }
    : group === 'added'
      ? { icon: Plus, tone: 'ok', word: texts.added }
      : group === 'renamed'
        ? { icon: ArrowRight, tone: look.tone, word: 'renamed' }
        : group === 'compatible'
          ? { icon: Check, tone: 'ok', word: texts.compatible }
          : { ...look, word: worst }
  return (
    <span data-tone={tone} className={styles.mark}>
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      <span className="visually-hidden">{word}: </span>
    </span>
  )
}

/** Returns `2 of 9`: the number of the worst changes. */
function formatSectionNote({ kind, group, worst, changes }: ReportSection): string {
  if (kind === 'removed') return texts.removed
  if (kind === 'added') return group === 'added' ? '' : texts.added
  const { length } = changes.filter(change => change.severity === worst)
  if (kind === 'renames') return String(changes[0]?.tools?.length ?? 1)
  return length === changes.length ? String(length) : `${length} of ${changes.length}`
}
