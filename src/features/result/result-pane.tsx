import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { EndedEvent } from '../../../core/call/invocation.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import { TextBox } from '../../ui/scroll.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { issueText, statusOf } from './ending-text.ts'
import type { InvocationState } from './invocation.ts'
import { type ResultTab, resultTabs } from './pick-viewer.ts'
import styles from './result-pane.module.css'
import { StatusBar } from './status-bar.tsx'

// The viewers come with the first call, not with the shell.
const ResultView = lazy(async () => ({ default: (await import('./result-view.tsx')).ResultView }))

interface ResultPaneProps {
  readonly invocation: InvocationState | undefined
  readonly toolName: string
  /** False where there is nothing to call: then there is nothing to wait for either. */
  readonly callable: boolean
}

/** The right pane: the result of the tool's last call. Give it the tool's ref as its key. */
export function ResultPane({ invocation, toolName, callable }: ResultPaneProps) {
  const panel = useRef<HTMLElement>(null)
  const pressedAt = invocation?.pressedAt
  const [firstPressedAt] = useState(pressedAt)
  useEffect(() => {
    if (pressedAt !== firstPressedAt) scrollIntoSight(panel.current)
  }, [pressedAt, firstPressedAt])
  const announcement = invocation?.ending ? announcementOf(invocation) : ''
  return (
    <section
      ref={panel}
      className={join('pane', styles.pane)}
      aria-label="Result"
      data-testid="result-panel"
      data-filled={invocation ? '' : undefined}
    >
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
      {invocation ? (
        <Filled invocation={invocation} toolName={toolName} />
      ) : (
        <EmptyState title={callable ? 'No call yet' : 'Nothing to call'}>
          {callable
            ? 'The result of the call appears here, beside its input.'
            : 'This tool can only be looked at.'}
        </EmptyState>
      )}
    </section>
  )
}

/** Height of the action bar above a stacked result: it stays in sight. */
const actionBarHeight = 52

/**
 * Stacked, the result is below the form: a new call brings it into sight. Beside the form this moves nothing.
 * Not scrollIntoView: that also scrolls every clipped box around it, the whole page with its top bar.
 */
function scrollIntoSight(panel: HTMLElement | null): void {
  const stack = panel?.closest('[data-stack]')
  if (!panel || !stack) return
  const below = panel.getBoundingClientRect().top - stack.getBoundingClientRect().top
  stack.scrollBy({ top: below - actionBarHeight })
}

function announcementOf(invocation: InvocationState): string {
  const verdict = invocation.ending?.validation.verdict
  const output = verdict === 'valid' || verdict === 'invalid' ? `, output ${verdict}` : ''
  return `Call ${statusOf(invocation).text}${output}`
}

function Filled({
  invocation,
  toolName,
}: {
  readonly invocation: InvocationState
  readonly toolName: string
}) {
  const { ending } = invocation
  const notes = [ending?.note, ending?.type === 'result' && ending.validation.note].filter(
    note => typeof note === 'string',
  )
  const tabs = resultTabs(invocation)
  const [chosen, setChosen] = useState<ResultTab>()
  // The user's tab stays from call to call while it fits; else the best view of this result.
  const tab = tabs.some(each => each.id === chosen) ? chosen : tabs[0]?.id
  const fileName = `${toolName.replace(/[^\w.-]+/g, '-')}.${ending?.structuredContent === undefined ? 'txt' : 'json'}`
  return (
    <>
      <StatusBar invocation={invocation} fileName={fileName} />
      {notes.map(note => (
        <p key={note} className={join('note', styles.note)}>
          {note}
        </p>
      ))}
      {ending?.type === 'failure' && <FailureNote failure={ending} />}
      {tab && (
        <Tabs label="Result views" tabs={tabs} value={tab} onChange={setChosen} bodyTestId="result-view">
          <ErrorBoundary
            resetKey={`${invocation.pressedAt} ${tab}`}
            fallback={error => <ErrorNote error={error} title="This view could not be drawn" />}
          >
            <Suspense>
              <ResultView key={invocation.pressedAt} invocation={invocation} tab={tab} fileName={fileName} />
            </Suspense>
          </ErrorBoundary>
        </Tabs>
      )}
    </>
  )
}

type FailedEvent = Extract<EndedEvent, { type: 'failure' }>

/** Why a call failed: the reason, what to do next, the program's issues, and its stderr. */
function FailureNote({ failure }: { readonly failure: FailedEvent }) {
  const { message, hint, issues = [], issuesOf, stderr } = failure
  return (
    <div
      className={join('stack', notes.error, styles.failure)}
      data-tone={failure.reason === 'cancelled' ? 'plain' : 'bad'}
    >
      <p className={notes.errorTitle}>{message}</p>
      {hint && <p>{hint}</p>}
      {issues.length > 0 && (
        <ul className="stack" aria-label={`Problems of the ${issuesOf ?? 'input'}`}>
          {issues.map(issue => (
            <li key={`${issue.path} ${issue.keyword} ${issue.message}`}>
              <code>{issue.path || `(the whole ${issuesOf ?? 'input'})`}</code> {issueText(issue)}
            </li>
          ))}
        </ul>
      )}
      {stderr?.trim() && (
        <details open={issues.length === 0}>
          <summary>What it said on stderr</summary>
          <TextBox maxHeight={220}>{stderr}</TextBox>
        </details>
      )}
    </div>
  )
}
