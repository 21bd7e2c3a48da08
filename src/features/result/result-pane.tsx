import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, Download } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { formatTimeLimit } from '../../../core/text/duration.ts'
import { findOpenQuestion, type Logs, type Progress } from '../../../core/tool/call-state.ts'
import type { EndedEvent, Validation, ValidationVerdict } from '../../../core/tool/invocation.ts'
import type { Question } from '../../../core/tool/question.ts'
import { joinTextBlocks } from '../../../core/tool/result-value.ts'
import { type CallTask, describeTask, getPollMs, hasTaskEnded } from '../../../core/tool/task.ts'
import { Badge, Loading, type Tone } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { getCallWords } from '../../ui/call-words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { formatAge, formatBytes, formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { RunBadge } from '../../ui/run-badge.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { saveFile } from '../../ui/text-file.ts'
import {
  countResultBytes,
  describeStatus,
  issueText,
  saysOutputInvalid,
  validationWords,
} from './ending-text.ts'
import { parseExactValue } from './exact-value.ts'
import type { InvocationState } from './invocation-state.ts'
import { findTableRows, formatEnvelope, type ResultTab, resultTabs } from './pick-viewer.ts'
import styles from './result-pane.module.css'
import { texts } from './texts.ts'
import { ContentViewer, MarkdownViewer } from './viewers/content-viewer.tsx'
import { LogsViewer } from './viewers/logs-viewer.tsx'
import { QuestionsViewer } from './viewers/questions-viewer.tsx'
import { TableViewer } from './viewers/table-viewer.tsx'
import { TextViewer } from './viewers/text-viewer.tsx'
import { TreeViewer } from './viewers/tree-viewer.tsx'

const AppViewer = lazy(async () => ({ default: (await import('./app/app-viewer.tsx')).AppViewer }))

interface ResultPaneProps {
  readonly invocation: InvocationState | undefined
  /** The called tool. */
  readonly tool: Pick<ToolDetail, 'name' | 'kind'>
  /** The same tool if it has an app that can run here. */
  readonly appTool?: ToolDetail | undefined
  /** Shown next to the status of a result. */
  readonly inputNote?: ReactNode
  /** Shown below the message of a call that was stopped because its tool is not as it was approved. */
  readonly refusal?: ReactNode
  /** Renders an open question with its form; absent if it cannot be answered here. */
  readonly drawQuestion?: (question: Question, callId: string) => ReactNode
}

/** The right pane: the result of the tool's last call. Use the tool's ref as the key. */
export function ResultPane({ invocation, tool, ...more }: ResultPaneProps) {
  const panel = useRef<HTMLElement>(null)
  // A call from the history is not announced as new.
  const pressedAt = invocation?.isStored ? undefined : invocation?.pressedAt
  const [firstPressedAt] = useState(pressedAt)
  useEffect(() => {
    if (pressedAt !== firstPressedAt) scrollIntoSight(panel.current)
  }, [pressedAt, firstPressedAt])
  const words = getCallWords(tool)
  const announcement = invocation && !invocation.isStored ? formatAnnouncement(invocation) : ''
  return (
    <section
      ref={panel}
      className={join('pane', styles.pane)}
      aria-label={texts.result}
      data-testid="result-panel"
      data-filled={invocation ? '' : undefined}
    >
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
      {invocation ? (
        <Filled invocation={invocation} tool={tool} {...more} />
      ) : (
        <EmptyState title={words.empty}>{words.emptyText}</EmptyState>
      )}
    </section>
  )
}

/** Pixels of the action bar above a stacked result, which must stay visible. */
const actionBarHeight = 52

/**
 * Scrolls to the result if it is stacked below the form; does nothing if it is next to the form. Not scrollIntoView:
 * that also scrolls every clipped box around it, and the whole page with its top bar.
 */
function scrollIntoSight(panel: HTMLElement | null): void {
  const stack = panel?.closest('[data-stack]')
  if (!panel || !stack) return
  const below = panel.getBoundingClientRect().top - stack.getBoundingClientRect().top
  stack.scrollBy({ top: below - actionBarHeight })
}

function formatAnnouncement(invocation: InvocationState): string {
  const question = findOpenQuestion(invocation)
  if (question) return `The server asks: ${question.message.slice(0, 300)}`
  const { ending } = invocation
  if (!ending) return ''
  const { validation } = ending
  const isSaid = (verdict: string) => verdict === 'valid' || verdict === 'invalid'
  const output = isSaid(validation.verdict) && !saysOutputInvalid(ending) ? [validationWords(validation)] : []
  return `Call ${[describeStatus(invocation).text, ...output].join(', ')}`
}

function Filled({
  invocation,
  tool,
  appTool,
  inputNote,
  refusal,
  drawQuestion,
}: ResultPaneProps & { readonly invocation: InvocationState }) {
  const { ending } = invocation
  const notes = [ending?.note, ending?.type === 'result' && ending.validation.note].filter(
    note => typeof note === 'string',
  )
  const tabs = resultTabs(invocation, appTool !== undefined && invocation.isRefused !== true)
  const [chosen, setChosen] = useState<{ readonly tab: ResultTab; readonly question: string | undefined }>()
  const question = findOpenQuestion(invocation)
  // An open question takes precedence over the user's tab, which persists between calls while it fits; else the best
  // view.
  const wanted = question && chosen?.question !== question.id ? 'questions' : chosen?.tab
  const tab = tabs.some(each => each.id === wanted) ? wanted : tabs[0]?.id
  // The app starts when its tab is first open, and stays while another tab is open.
  const [appOf, setAppOf] = useState<number>()
  if (tab === 'app' && appOf !== invocation.pressedAt) setAppOf(invocation.pressedAt)
  const app = appTool && appOf === invocation.pressedAt && (
    <Suspense fallback={<Loading />}>
      <AppViewer key={invocation.pressedAt} tool={appTool} invocation={invocation} />
    </Suspense>
  )
  const fileName = `${tool.name.replace(/[^\w.-]+/g, '-')}.${ending?.structuredContent === undefined ? 'txt' : 'json'}`
  return (
    <>
      <StatusBar invocation={invocation} fileName={fileName} isTool={tool.kind === undefined}>
        {inputNote}
      </StatusBar>
      {invocation.task && <TaskNote task={invocation.task} isFollowed={!ending} />}
      {notes.map(note => (
        <p key={note} className={join('note', styles.note)}>
          {note}
        </p>
      ))}
      {ending?.type === 'failure' && <FailureNote failure={ending} logs={invocation.logs} />}
      {ending?.type === 'failure' && ending.reason === 'not-approved' && refusal}
      {tab && (
        <Tabs
          label="Result views"
          tabs={tabs}
          value={tab}
          onChange={tab => setChosen({ tab, question: question?.id })}
          bodyTestId="result-view"
          lasting={app ? { id: 'app', body: app } : undefined}
        >
          <ErrorBoundary
            resetKey={`${invocation.pressedAt} ${tab}`}
            fallback={error => <ErrorNote error={error} title="This view could not be drawn" />}
          >
            <ResultView
              key={invocation.pressedAt}
              invocation={invocation}
              tab={tab}
              fileName={fileName}
              question={question && drawQuestion?.(question, invocation.started?.id ?? '')}
            />
          </ErrorBoundary>
        </Tabs>
      )}
    </>
  )
}

/** The task that the server made of the call, as it last described it. */
function TaskNote({ task, isFollowed }: { readonly task: CallTask; readonly isFollowed: boolean }) {
  const { taskId, createdAt, ttlMs } = task
  const isTime = createdAt !== undefined && !Number.isNaN(Date.parse(createdAt))
  return (
    <p className={join('note', styles.note)} data-testid="task">
      Task <code>{taskId}</code> {describeTask(task)}
      {isTime && ` · begun ${formatTime(createdAt, new Date())}`}
      {ttlMs !== undefined && ` · the server keeps it for ${formatTimeLimit(ttlMs)}`}
      {isFollowed && !hasTaskEnded(task) && ` · looked at every ${formatTimeLimit(getPollMs(task))}`}
    </p>
  )
}

type FailedEvent = Extract<EndedEvent, { type: 'failure' }>

/** Why a call failed: the reason, what to do next, the program's issues, and its stderr. */
function FailureNote({ failure, logs }: { readonly failure: FailedEvent; readonly logs: Logs }) {
  const { message, hint, issues = [], issuesOf, meta } = failure
  // The result below begins with the message of a tool that says itself that it failed.
  const title = failure.isError === true && failure.content.length > 0 ? '' : message
  const [firstLine = '', ...otherLines] = title.split('\n')
  // Streamed output is in the logs already.
  const stderr = logs.chunks.some(chunk => chunk.stream === 'stderr') ? undefined : failure.stderr
  if (title === '' && !hint && issues.length === 0 && !stderr?.trim()) return null
  return (
    <div
      className={join('stack', notes.error, styles.failure)}
      data-tone={failure.reason === 'cancelled' ? 'plain' : 'bad'}
    >
      {firstLine && <p className={notes.errorTitle}>{firstLine}</p>}
      {otherLines.length > 0 && <p className={styles.otherLines}>{otherLines.join('\n').trim()}</p>}
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
      {meta?.error !== undefined && (
        <details open>
          <summary>Data of the error</summary>
          <TextBox maxHeight={220}>{JSON.stringify(meta.error, null, 2)}</TextBox>
        </details>
      )}
      {stderr?.trim() && (
        <details open={issues.length === 0}>
          <summary>stderr</summary>
          <TextBox maxHeight={220}>{stderr}</TextBox>
        </details>
      )}
    </div>
  )
}

interface ResultViewProps {
  readonly invocation: InvocationState
  readonly tab: ResultTab
  readonly fileName: string
  /** The open question, with its form. */
  readonly question?: ReactNode
}

/** The content of one tab of the result. */
function ResultView({ invocation, tab, fileName, question }: ResultViewProps) {
  const { ending, inputText, logs, questions } = invocation
  const value = useMemo(() => ending && parseExactValue(ending), [ending])
  if (tab === 'questions') return <QuestionsViewer questions={questions}>{question}</QuestionsViewer>
  if (tab === 'logs') return <LogsViewer logs={logs} isRunning={!ending} />
  if (tab === 'sent')
    return <TextViewer text={inputText} label="The input that was sent" fileName="input.json" />
  if (!ending) return null
  const text =
    typeof ending.structuredContent === 'string' ? ending.structuredContent : joinTextBlocks(ending)
  switch (tab) {
    case 'tree':
      return <TreeViewer value={value} issues={ending.validation.issues} />
    case 'table':
      return <TableViewer rows={findTableRows(value) ?? []} fileName={fileName.replace(/\.\w+$/, '')} />
    case 'content':
      return <ContentViewer content={ending.content} />
    case 'markdown':
      return <MarkdownViewer text={text} />
    case 'text':
      return <TextViewer text={text} label="Result as text" fileName={fileName} />
    case 'raw':
      return <TextViewer text={ending.raw ?? ''} label="Raw result" fileName={fileName} />
    case 'envelope':
      return <TextViewer text={formatEnvelope(ending)} label={texts.envelope} fileName={fileName} />
  }
}

interface StatusBarProps {
  readonly invocation: InvocationState
  readonly fileName: string
  /** Whether to report a missing output schema: only tools can have one. */
  readonly isTool: boolean
  /** Further facts. */
  readonly children: ReactNode
}

/** One line for the state of a call: status, time, size, verdict. */
function StatusBar({ invocation, fileName, isTool, children }: StatusBarProps) {
  const { ending, progress, earlier } = invocation
  const { text, tone } = describeStatus(invocation)
  const validation = ending && pickValidation(ending)
  const size = useMemo(() => (ending ? countResultBytes(ending) : 0), [ending])
  const whole = ending ? (ending.raw ?? joinTextBlocks(ending)) : ''
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
        {children}
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

/** Returns the verdict that the status omits; undefined if a failed call has no output to validate. */
function pickValidation(ending: EndedEvent): Validation | undefined {
  const { type, validation } = ending
  if (saysOutputInvalid(ending)) return undefined
  return type === 'failure' && validation.verdict === 'unchecked' ? undefined : validation
}

/** The progress of a call, if its source reports it; indeterminate without a total. */
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

/** The verdict of the output schema on the result. */
function Verdict({ validation }: { readonly validation: Validation }) {
  const { verdict, note } = validation
  const { tone, Icon } = looks[verdict]
  return (
    <Badge tone={tone} {...(note !== undefined && { title: note })}>
      <Icon size={12} aria-hidden />
      {/* The test id marks a verdict; an unchecked output has no verdict. */}
      <span data-testid={verdict === 'unchecked' ? undefined : 'result-verdict'}>
        {validationWords(validation)}
      </span>
    </Badge>
  )
}
