import { useEffect, useState } from 'react'
import { Badge, Dot, Spinner, type Tone } from './badge.tsx'
import { formatDuration } from './format.ts'

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
