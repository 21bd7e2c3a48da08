import { useEffect, useState } from 'react'
import type { ScriptEnding } from '../../../core/script/trace.ts'
import { Badge, Dot, type Tone } from '../../ui/badge.tsx'
import { formatDuration, plural } from '../../ui/format.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './console-bar.module.css'
import type { ConsoleRun } from './console-state.ts'

const words: Readonly<Record<ScriptEnding, string>> = {
  finished: 'exit',
  limit: 'ended at a limit',
  cancelled: 'cancelled',
  syntax: 'not bash',
  broken: 'broke',
}

/** The state of the run: running with its time, or its exit code. */
export function RunState({ run }: { readonly run: ConsoleRun | undefined }) {
  const text = run?.end === undefined ? '' : endText(run.end)
  return (
    <span className={styles.state}>
      <span className="visually-hidden" aria-live="polite">
        {text && `Script: ${text}`}
      </span>
      {run !== undefined && <Shown run={run} text={text} />}
    </span>
  )
}

function Shown({ run, text }: { readonly run: ConsoleRun; readonly text: string }) {
  const { end, trace } = run
  const tone = end === undefined ? 'info' : toneOf(end)
  return (
    <>
      <Badge tone={tone}>
        {end ? <Dot tone={tone === 'info' ? 'plain' : tone} /> : <Spinner />}
        <span data-testid="script-status">{end ? text : 'running'}</span>
      </Badge>
      <span className="mono">{end ? formatDuration(end.durationMs) : <Counting from={run.pressedAt} />}</span>
      {trace.length > 0 && <span className="muted">{plural(trace.length, 'call')}</span>}
    </>
  )
}

function endText({ ending, exitCode }: NonNullable<ConsoleRun['end']>): string {
  return ending === 'finished' ? `${words.finished} ${exitCode}` : `${words[ending]} · exit ${exitCode}`
}

function toneOf({ ending, exitCode }: NonNullable<ConsoleRun['end']>): Exclude<Tone, 'info'> {
  if (ending === 'finished') return exitCode === 0 ? 'ok' : 'bad'
  return ending === 'cancelled' ? 'warn' : 'bad'
}

function Counting({ from }: { readonly from: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return <>{formatDuration(Math.max(0, now - from))}</>
}
