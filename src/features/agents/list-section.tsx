import type { ReactNode } from 'react'
import styles from './agent.module.css'

interface ListSectionProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  readonly children: (item: Item) => ReactNode
}

const maxShown = 500

/** A list with a heading; nothing where it is empty. */
export function ListSection<Item>({ title, items, children }: ListSectionProps<Item>) {
  if (items.length === 0) return null
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {items.slice(0, maxShown).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may repeat, and never move
          <li key={index} className="row">
            {children(item)}
          </li>
        ))}
      </ul>
    </section>
  )
}
