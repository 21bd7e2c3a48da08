import { useMemo } from 'react'
import { Badge, Dot } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatBytes, formatDuration } from '../../ui/format.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { DownloadButton } from './download-button.tsx'
import { Elapsed } from './elapsed.tsx'
import { sizeOf, statusOf } from './ending-text.ts'
import type { InvocationState, Progress } from './invocation.ts'
import { textOf } from './pick-viewer.ts'
import styles from './status-bar.module.css'
import { Verdict } from './verdict.tsx'

interface StatusBarProps {
  readonly invocation: InvocationState
  readonly fileName: string
}

/** One line for the state of a call: status, time, size, verdict. */
export function StatusBar({ invocation, fileName }: StatusBarProps) {
  const { ending, progress } = invocation
  const { text, tone } = statusOf(invocation)
  // Of a call that failed there is often nothing to judge: then nothing is said.
  const judged =
    ending?.type === 'failure' && ending.validation.verdict === 'unchecked' ? undefined : ending?.validation
  const size = useMemo(() => (ending ? sizeOf(ending) : 0), [ending])
  const whole = ending ? (ending.raw ?? textOf(ending)) : ''
  return (
    <div className={styles.bar}>
      <Badge tone={tone}>
        {ending ? <Dot tone={tone === 'info' ? 'plain' : tone} /> : <Spinner />}
        <span data-testid="result-status">{text}</span>
      </Badge>
      <span className="mono">
        {ending ? formatDuration(ending.timing.durationMs) : <Elapsed from={invocation.pressedAt} />}
      </span>
      {ending ? (
        <span className="mono muted">{formatBytes(size)}</span>
      ) : (
        progress && <ProgressBar {...progress} />
      )}
      {judged && <Verdict validation={judged} />}
      {whole !== '' && (
        <span className={styles.end}>
          <CopyButton label="Copy the result" text={() => whole} />
          <DownloadButton iconOnly label="Download the result" text={whole} fileName={fileName} />
        </span>
      )}
    </div>
  )
}

/** How far a call is, where its source says so; without a total it only moves. */
function ProgressBar({ progress, total, message }: Progress) {
  return (
    <>
      <progress
        className={styles.progress}
        aria-label="Progress"
        {...(total !== undefined && { value: progress, max: total })}
      />
      <span className="muted truncate">
        {message ?? (total === undefined ? progress : `${progress} of ${total}`)}
      </span>
    </>
  )
}
