import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** An animation for work in progress. It needs text next to it. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden />
}

/** Shows what is in progress while its part of the page is empty. */
export function Loading({ children = 'Loading…' }: { readonly children?: ReactNode }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner /> {children}
    </p>
  )
}
