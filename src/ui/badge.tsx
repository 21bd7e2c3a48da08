import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'plain' | 'ok' | 'bad' | 'warn' | 'info'

/** A small word on a tinted background. The word carries the meaning; the colour only repeats it. */
export function Badge({
  tone = 'plain',
  icon: Icon,
  title,
  children,
}: {
  tone?: Tone
  icon?: LucideIcon
  title?: string | undefined
  children: ReactNode
}) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {Icon && <Icon size={11} strokeWidth={2.5} aria-hidden />}
      {children}
    </span>
  )
}

/** A coloured dot for a state. A word next to it or a label must name the state. */
export function Dot({ tone }: { readonly tone: Exclude<Tone, 'info'> }) {
  return <span className={styles.dot} data-tone={tone} aria-hidden />
}

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
