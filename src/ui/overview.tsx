import type { ReactNode } from 'react'
import { join } from './join.ts'
import styles from './overview.module.css'

interface OverviewListProps {
  readonly title: string
  /** One `OverviewRow` for each entry. */
  readonly children: ReactNode
}

/** A section of an overview: a short list under its title. */
export function OverviewList({ title, children }: OverviewListProps) {
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface OverviewRowProps {
  /** Opens the subject of the row; absent if buttons in the row do that. */
  readonly onOpen?: () => void
  readonly children: ReactNode
}

/** One line. The part with the class `truncate` is cut off if it does not fit. */
export function OverviewRow({ onOpen, children }: OverviewRowProps) {
  return (
    <li className={styles.item}>
      {onOpen ? (
        <button type="button" className={join('row hoverable', styles.row)} onClick={onOpen}>
          {children}
        </button>
      ) : (
        <div className={join('row', styles.row)}>{children}</div>
      )}
    </li>
  )
}
