import { Ban, CircleCheck, CircleSlash, CircleX, FlaskConical, type LucideIcon } from 'lucide-react'
import type { TraceEntry, TraceStatus } from '../../../core/script/trace.ts'
import { outputWords } from '../../../core/tool/output-words.ts'
import { formatDuration } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useElapsed } from '../../ui/run-badge.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { ConsoleRun } from './console-state.ts'
import { texts } from './texts.ts'
import styles from './trace-list.module.css'

interface TraceListProps {
  readonly run: ConsoleRun
  readonly selected: number | undefined
  readonly onSelect: (id: number) => void
}

const looks = {
  running: { word: texts.running, tone: 'info', Icon: undefined },
  result: { word: 'done', tone: 'ok', Icon: CircleCheck },
  failure: { word: 'failed', tone: 'bad', Icon: CircleX },
  refused: { word: 'not called', tone: 'warn', Icon: Ban },
  'dry-run': { word: 'dry run', tone: 'info', Icon: FlaskConical },
  cancelled: { word: texts.cancelled, tone: 'warn', Icon: CircleSlash },
} as const satisfies Record<TraceStatus, { word: string; tone: string; Icon: LucideIcon | undefined }>

/** Every call of a tool as a bar on the time of the run. */
export function TraceList({ run, selected, onSelect }: TraceListProps) {
  const now = useElapsed(run.pressedAt, run.end === undefined)
  const total = Math.max(
    1,
    run.end?.durationMs ?? now,
    ...run.trace.map(entry => entry.startMs + entry.durationMs),
  )
  return (
    <div className={join('column', styles.trace)}>
      <div className={join('mono muted', styles.axis)} aria-hidden>
        <span>0</span>
        <span>{formatDuration(total / 2)}</span>
        <span>{formatDuration(total)}</span>
      </div>
      <ol className={join('scroll', styles.rows)} aria-label="Calls in order">
        {run.trace.map(entry => (
          <TraceRow
            key={entry.id}
            entry={entry}
            total={total}
            now={now}
            isSelected={entry.id === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </div>
  )
}

interface TraceRowProps {
  readonly entry: TraceEntry
  readonly total: number
  readonly now: number
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

function TraceRow({ entry, total, now, isSelected, onSelect }: TraceRowProps) {
  const { id, command, status, startMs, verdict } = entry
  const { word, tone, Icon } = looks[status]
  const duration = status === 'running' ? Math.max(0, now - startMs) : entry.durationMs
  return (
    <li>
      <button
        type="button"
        className={join('hoverable', styles.row, isSelected && styles.selected)}
        aria-pressed={isSelected}
        data-testid="trace-row"
        data-status={status}
        data-tone={tone}
        onClick={() => onSelect(id)}
      >
        <span className="tone">{Icon ? <Icon size={14} aria-hidden /> : <Spinner />}</span>
        <span className="mono truncate">{command}</span>
        <span className="note truncate">
          {word}
          {verdict === 'valid' && ' · valid'}
          {verdict === 'invalid' && <span className={styles.invalid}> · {outputWords('invalid')}</span>}
        </span>
        <span className="mono note">{formatDuration(duration)}</span>
        <span className={styles.track} aria-hidden>
          <span
            className={styles.bar}
            style={{
              left: `${Math.min(99, (100 * startMs) / total)}%`,
              width: `${Math.max(0.6, Math.min(100, (100 * duration) / total))}%`,
            }}
          />
        </span>
      </button>
    </li>
  )
}
