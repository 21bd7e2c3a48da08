import { useEffect, useRef } from 'react'
import { join } from '../../ui/join.ts'
import type { CompletionItem } from './completion.ts'
import styles from './completion-list.module.css'

interface CompletionListProps {
  readonly id: string
  readonly items: readonly CompletionItem[]
  readonly chosen: number
  /** Pixels from the editor's corner, just below the caret. */
  readonly left: number
  readonly top: number
  readonly onPick: (item: CompletionItem) => void
}

/** What can be inserted at the caret. The focus stays in the editor, which moves the choice. */
export function CompletionList({ id, items, chosen, left, top, onPick }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Completions"
      className={styles.list}
      style={{ left, top }}
    >
      {items.map((item, index) => (
        <div
          key={item.label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={join(styles.item, index === chosen && styles.chosen)}
          onPointerDown={event => {
            // The editor keeps the focus.
            event.preventDefault()
            onPick(item)
          }}
        >
          <span className={styles.label}>{item.label}</span>
          {item.detail && <span className={styles.detail}>{item.detail}</span>}
        </div>
      ))}
    </div>
  )
}
