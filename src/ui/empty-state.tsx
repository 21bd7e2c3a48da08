import type { ReactNode } from 'react'
import { join } from './join.ts'
import styles from './notes.module.css'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  /** Buttons for the next step. */
  readonly actions?: ReactNode
}

/** Explains why there is nothing here, and what to do. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={join('row wrap', styles.actions)}>{actions}</div>}
    </div>
  )
}
