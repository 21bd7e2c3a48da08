import type { ReactNode } from 'react'
import { join } from './join.ts'
import styles from './overview.module.css'

interface OverviewListProps {
  readonly title: string
  /** One `OverviewRow` for each entry. */
  readonly children: ReactNode
}

/** A part of an overview: a short list under its title. */
export function OverviewList({ title, children }: OverviewListProps) {
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface OverviewRowProps {
  /** Opens what the whole row is about; absent where buttons of the row do that. */
  readonly onOpen?: () => void
  readonly children: ReactNode
}

/** One line: what does not fit is cut off in the part with the class `truncate`. */
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
