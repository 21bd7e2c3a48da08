import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** Turns while something is under way. Always beside words. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden />
}

/** Says what is under way while its part of the page is empty. */
export function Loading({ children = 'Loading…' }: { readonly children?: ReactNode }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner /> {children}
    </p>
  )
}
