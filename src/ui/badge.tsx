import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './badge.module.css'
import { formatDuration } from './format.ts'

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

/** Returns the milliseconds since `from` (a `performance.now()` reading), updated while `isRunning`. */
export function useElapsed(from: number, isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [isRunning])
  return Math.max(0, now - from)
}

interface RunBadgeProps {
  readonly tone: Tone
  readonly text: string
  readonly testId: string
  /** A `performance.now()` reading. */
  readonly startedAt: number
  /** Absent while running. */
  readonly durationMs: number | undefined
}

/** The state and the duration of a call or a script. While it runs, only this component renders again. */
export function RunBadge({ tone, text, testId, startedAt, durationMs }: RunBadgeProps) {
  const elapsed = useElapsed(startedAt, durationMs === undefined)
  return (
    <>
      <Badge tone={tone}>
        {durationMs === undefined ? <Spinner /> : <Dot tone={tone === 'info' ? 'plain' : tone} />}
        <span data-testid={testId}>{text}</span>
      </Badge>
      <span className="mono">{formatDuration(durationMs ?? elapsed)}</span>
    </>
  )
}
