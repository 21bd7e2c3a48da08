import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { TraceEntry } from '../../../core/script/trace.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { join } from '../../ui/join.ts'
import { useStore } from '../../ui/store.ts'
import { consoleRun } from './console-run.ts'
import { texts } from './texts.ts'
import { TraceList } from './trace-list.tsx'
import styles from './trace-pane.module.css'

interface TracePaneProps {
  readonly renderCall: (entry: TraceEntry, events: readonly CallEvent[], pressedAt: number) => ReactNode
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
            events={run.calls.get(entry.id) ?? []}
            startedAt={run.pressedAt}
            renderCall={renderCall}
          />
        </div>
      )}
    </section>
  )
}

/** On a narrow page the call is below the list, out of sight until the page scrolls to it. */
function scrollIntoView(detail: HTMLElement | null): void {
  detail?.scrollIntoView({ block: 'nearest' })
}

interface DetailProps {
  readonly entry: TraceEntry
  readonly events: readonly CallEvent[]
  /** When the run began. */
  readonly startedAt: number
  readonly renderCall: TracePaneProps['renderCall']
}

/** A call as the workbench shows it; for a call that was refused, the reason. */
function Detail({ entry, events, startedAt, renderCall }: DetailProps) {
  return (
    <>
      {entry.message && <p className={styles.message}>{entry.message}</p>}
      <section className={styles.input} aria-label={texts.input}>
        <span className="muted">{texts.input}</span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
        <pre className={join('wrapped', styles.text)} tabIndex={0}>
          {entry.input || 'The flags could not be read.'}
        </pre>
      </section>
      {events.length > 0 ? (
        <div className={styles.result}>{renderCall(entry, events, startedAt + entry.startMs)}</div>
      ) : (
        entry.output && <pre className={join('wrapped', styles.text)}>{entry.output}</pre>
      )}
    </>
  )
}
