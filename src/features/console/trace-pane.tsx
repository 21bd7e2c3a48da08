import { Ban, CircleCheck, CircleSlash, CircleX, FlaskConical, type LucideIcon, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { TraceEntry, TraceStatus } from '../../../core/script/trace.ts'
import type { CallState } from '../../../core/tool/call-state.ts'
import { outputWords } from '../../../core/tool/outcome.ts'
import { Spinner } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { formatDuration } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState } from '../../ui/notes.tsx'
import { useElapsed } from '../../ui/run-badge.tsx'
import { useStore } from '../../ui/value-store.ts'
import { consoleRun } from './console-run.ts'
import type { ConsoleRun } from './console-state.ts'
import { texts } from './texts.ts'
import styles from './trace-pane.module.css'

interface TracePaneProps {
  readonly renderCall: (entry: TraceEntry, call: CallState, pressedAt: number) => ReactNode
}

/** The calls of the run, and the selected one below them. */
export function TracePane({ renderCall }: TracePaneProps) {
  const run = useStore(consoleRun)
  const [chosen, setChosen] = useState<{ readonly run: number; readonly id: number }>()
  // Another run has other calls with the same ids.
  const id = chosen?.run === run?.pressedAt ? chosen?.id : undefined
  const entry = run?.trace.find(each => each.id === id)
  return (
    <section className={join('column', styles.pane)} aria-label="Trace" data-testid="script-trace">
      {run === undefined || run.trace.length === 0 ? (
        <EmptyState title={run === undefined ? 'No run yet' : 'No tool was called'}>
          Every call of a tool appears here with its time, input, result and verdict.
        </EmptyState>
      ) : (
        <TraceList run={run} selected={id} onSelect={next => setChosen({ run: run.pressedAt, id: next })} />
      )}
      {run && entry && (
        <div
          ref={scrollIntoView}
          key={entry.id}
          className={join('column', styles.detail)}
          data-testid="trace-detail"
        >
          <div className={join('row', styles.head)}>
            <h2 className="mono truncate">
              {entry.id} · {entry.command}
            </h2>
            <span className="muted">exit {entry.exitCode ?? '…'}</span>
            <span className="grow" />
            <IconButton icon={X} label="Close the call" onClick={() => setChosen(undefined)} />
          </div>
          <Detail
            entry={entry}
            call={run.calls.get(entry.id)}
            startedAt={run.pressedAt}
            renderCall={renderCall}
          />
        </div>
      )}
    </section>
  )
}

/** Scrolls to the call, which is below the list on a narrow page. */
function scrollIntoView(detail: HTMLElement | null): void {
  detail?.scrollIntoView({ block: 'nearest' })
}

interface DetailProps {
  readonly entry: TraceEntry
  /** Absent if the tool was not called. */
  readonly call: CallState | undefined
  /** The start of the run, by `performance.now()`. */
  readonly startedAt: number
  readonly renderCall: TracePaneProps['renderCall']
}

/** A call as the workbench shows it; for a refused call, the reason. */
function Detail({ entry, call, startedAt, renderCall }: DetailProps) {
  return (
    <>
      {entry.message && <p className={styles.message}>{entry.message}</p>}
      <section className={styles.input} aria-label="Input">
        <span className="muted">Input</span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
        <pre className={join('wrapped', styles.text)} tabIndex={0}>
          {entry.input || 'The flags could not be read.'}
        </pre>
      </section>
      {call ? (
        <div className={styles.result}>{renderCall(entry, call, startedAt + entry.startMs)}</div>
      ) : (
        entry.output && <pre className={join('wrapped', styles.text)}>{entry.output}</pre>
      )}
    </>
  )
}

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

/** Every call of a tool as a bar on the time line of the run. */
function TraceList({ run, selected, onSelect }: TraceListProps) {
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
