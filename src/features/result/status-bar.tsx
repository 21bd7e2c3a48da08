import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, Download } from 'lucide-react'
import { useMemo } from 'react'
import type { EndedEvent, Validation, ValidationVerdict } from '../../../core/tool/invocation.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatAge, formatBytes, formatTime } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { join } from '../../ui/join.ts'
import { RunBadge } from '../../ui/run-badge.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { saysOutputInvalid, sizeOf, statusOf, validationWords } from './ending-text.ts'
import { textOf } from './exact-value.ts'
import type { InvocationState, Progress } from './invocation.ts'
import styles from './result-pane.module.css'

interface StatusBarProps {
  readonly invocation: InvocationState
  readonly fileName: string
  /** Only tools have a schema of their output: of others its absence says nothing. */
  readonly isTool: boolean
}

/** One line for the state of a call: status, time, size, verdict. */
export function StatusBar({ invocation, fileName, isTool }: StatusBarProps) {
  const { ending, progress, earlier } = invocation
  const { text, tone } = statusOf(invocation)
  const validation = ending && shownValidation(ending)
  const size = useMemo(() => (ending ? sizeOf(ending) : 0), [ending])
  const whole = ending ? (ending.raw ?? textOf(ending)) : ''
  return (
    <div className={join('row', styles.bar)}>
      <div className={join('row wrap', styles.facts)}>
        <RunBadge
          tone={tone}
          text={text}
          testId="result-status"
          startedAt={invocation.pressedAt}
          durationMs={ending?.timing.durationMs}
        />
        {ending ? (
          <span className="mono muted">{formatBytes(size)}</span>
        ) : (
          progress && <ProgressBar {...progress} />
        )}
        {validation && (isTool || validation.verdict !== 'no schema') && <Verdict validation={validation} />}
        {earlier && (
          <span className="muted" data-testid="result-earlier">
            <time dateTime={earlier.startedAt} title={formatTime(earlier.startedAt, new Date())}>
              {formatAge(earlier.startedAt, new Date())}
            </time>
            {earlier.isCut && ', kept in part'}
          </span>
        )}
      </div>
      {whole !== '' && (
        <span className="end">
          <CopyButton label="Copy the result" text={() => whole} />
          <IconButton icon={Download} label="Download the result" onClick={() => saveFile(whole, fileName)} />
        </span>
      )}
    </div>
  )
}

/** What the status does not say yet. A failed call often has no output to validate: then there is no verdict. */
function shownValidation(ending: EndedEvent): Validation | undefined {
  const { type, validation } = ending
  if (saysOutputInvalid(ending)) return undefined
  return type === 'failure' && validation.verdict === 'unchecked' ? undefined : validation
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

const looks = {
  valid: { tone: 'ok', Icon: CircleCheck },
  invalid: { tone: 'bad', Icon: CircleAlert },
  'no schema': { tone: 'plain', Icon: CircleDashed },
  unchecked: { tone: 'warn', Icon: CircleHelp },
} as const satisfies Record<ValidationVerdict, { tone: Tone; Icon: typeof CircleCheck }>

/** The verdict of the output schema on what came back. */
function Verdict({ validation }: { readonly validation: Validation }) {
  const { verdict, note } = validation
  const { tone, Icon } = looks[verdict]
  return (
    <Badge tone={tone} {...(note !== undefined && { title: note })}>
      <Icon size={12} aria-hidden />
      {/* The handle stands for a judgement; unchecked is none. */}
      <span data-testid={verdict === 'unchecked' ? undefined : 'result-verdict'}>
        {validationWords(validation)}
      </span>
    </Badge>
  )
}
