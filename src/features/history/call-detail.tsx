import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ListFilter, Pencil, Pin, PinOff, RotateCcw, Trash2, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StoredInvocation } from '../../../core/api/history.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import type { CallTask } from '../../../core/tool/task.ts'
import { useBackend } from '../../api/backend.ts'
import { storedCallQuery } from '../../api/history.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge, Spinner } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import styles from './history.module.css'
import { useHistorySearch } from './history-search.ts'
import { OutcomeBadge } from './outcome.tsx'

/** The functions that the page provides to the history. */
export interface HistoryActions {
  /** Renders the result of a call as next to the form. */
  readonly result: (call: StoredInvocation) => ReactNode
  /** Repeats a call with the same input; rejects if the tool is gone. */
  readonly repeat: (call: StoredInvocation) => Promise<void>
  /** Waits for the task that the call left at its server; its result is shown at the tool. */
  readonly getTaskResult: (call: StoredInvocation, task: CallTask) => Promise<void>
  /** Renders a link to the messages of the call, if there are any. */
  readonly wireLink: (call: StoredInvocation) => ReactNode
  /** Opens the tool with the input in its form. */
  readonly edit: (call: StoredInvocation) => Promise<void>
}

/** One call: its input, its result and its actions. */
export function CallDetail({ id, actions }: { readonly id: string; readonly actions: HistoryActions }) {
  const { data: call, error } = useQuery(storedCallQuery(useBackend(), id))
  if (call) return <Loaded call={call} actions={actions} />
  return <div className="padded">{error ? <ErrorNote error={error} /> : <Spinner />}</div>
}

function Loaded({ call, actions }: { readonly call: StoredInvocation; readonly actions: HistoryActions }) {
  const backend = useBackend()
  const client = useQueryClient()
  const [, go] = useHistorySearch()
  const work = useMutation({ mutationFn: (run: () => Promise<unknown>) => run() })
  const missing = whyNotRepeated(call)
  const refusedCall = useRefusal('POST /api/invocations')
  const task = findLeftTask(call)
  const pin = async () => {
    await backend.request('PATCH /api/history/{id}', {
      params: { id: call.id },
      body: { pinned: !call.pinned },
    })
    await invalidate(client, 'history')
  }
  const remove = async () => {
    await backend.request('DELETE /api/history/{id}', { params: { id: call.id } })
    go({ call: undefined, with: undefined }, { replace: true })
    await invalidate(client, 'history')
  }
  return (
    <article className="pane" style={{ overflow: 'auto' }} aria-label={`Call of ${call.tool}`}>
      <header className={join('stack', styles.detailHead)}>
        <div className="row wrap">
          <h2 className={join('mono', styles.detailName)}>{call.tool}</h2>
          <Badge>{call.source}</Badge>
          <OutcomeBadge end={call} />
          <span className="muted">
            <time dateTime={call.startedAt} title={call.startedAt}>
              {formatTime(call.startedAt, new Date())}
            </time>
            , by {call.person !== undefined && `${call.person}, `}
            {call.origin}
          </span>
          {actions.wireLink(call)}
        </div>
        <div className="row wrap">
          <Button
            look="primary"
            aria-disabled={missing !== undefined}
            refused={refusedCall}
            title={missing}
            disabled={work.isPending}
            onClick={() => missing === undefined && work.mutate(() => actions.repeat(call))}
          >
            <RotateCcw size={13} aria-hidden /> Repeat
          </Button>
          {task && (
            <Button
              refused={refusedCall}
              disabled={work.isPending}
              title={`Task ${task.taskId}`}
              onClick={() => work.mutate(() => actions.getTaskResult(call, task))}
            >
              <Download size={13} aria-hidden /> Get the result
            </Button>
          )}
          <Button onClick={() => work.mutate(() => actions.edit(call))}>
            <Pencil size={13} aria-hidden /> Edit and repeat
          </Button>
          <div className="row end" style={{ gap: 2 }}>
            <IconButton
              icon={ListFilter}
              label={`Only calls of ${call.tool}`}
              onClick={() => go({ tool: call.ref })}
            />
            {call.person !== undefined && (
              <IconButton
                icon={UserRound}
                label={`Only calls by ${call.person}`}
                onClick={() => go({ person: call.person })}
              />
            )}
            <IconButton
              icon={call.pinned ? PinOff : Pin}
              label={call.pinned ? 'Unpin: allow deletion with the old calls' : 'Pin: keep this call'}
              aria-pressed={call.pinned}
              refused={useRefusal('PATCH /api/history/{id}')}
              onClick={() => work.mutate(pin)}
            />
            <IconButton
              icon={Trash2}
              label="Delete this call"
              refused={useRefusal('DELETE /api/history/{id}')}
              onClick={() => work.mutate(remove)}
            />
          </div>
        </div>
        <ErrorNote error={work.error} />
      </header>
      <CallInput call={call} />
      <div className={styles.result}>{actions.result(call)}</div>
    </article>
  )
}

/** Returns the task of a call that ended without its result: the server may still work on it. */
function findLeftTask({ events }: StoredInvocation): CallTask | undefined {
  const ending = events.at(-1)
  const event = events.findLast(each => each.type === 'task')
  if (ending?.type === 'result' || event?.type !== 'task' || event.task.status === 'cancelled')
    return undefined
  return event.task
}

/** Returns why a call cannot be repeated: a part of it was not stored. */
function whyNotRepeated({ inputMasked, variables = {} }: StoredInvocation): string | undefined {
  if (inputMasked) return 'Its secret fields were not saved: edit the input first'
  const missing = Object.keys(variables).filter(name => variables[name] === null)
  if (missing.length === 0) return undefined
  return `These variables were not saved: ${missing.join(', ')}. “Edit and repeat” uses the values on the agent’s page.`
}

/** Characters of the input that are shown. */
const maxInputCharacters = 50_000

/** The input that was sent, indented; its numbers keep their digits. */
function CallInput({ call }: { readonly call: StoredInvocation }) {
  const [started] = call.events
  const reading = readJson(call.inputText)
  const text = reading.ok && reading.value !== undefined ? writeJson(reading.value) : call.inputText
  return (
    <section className={styles.input} aria-label="Input">
      <div className={join('row', styles.callInputHead)}>
        <h3>Input</h3>
        {call.inputVerdict === 'invalid' && <Badge tone="warn">invalid</Badge>}
        {call.inputMasked && <Badge tone="info">secret fields left out</Badge>}
        {call.cut.length > 0 && <Badge tone="warn">{call.cut.join(', ')} kept in part</Badge>}
        <span className="grow" />
        <CopyButton label="Copy the input" text={() => call.inputText} />
      </div>
      <TextBox maxHeight={220}>{text.slice(0, maxInputCharacters)}</TextBox>
      {call.variables && <CallVariables variables={call.variables} />}
      {started?.type === 'started' && started.trace && (
        <p className="row muted" data-testid="trace">
          Trace <code>{started.trace.traceparent.split('-')[1] ?? started.trace.traceparent}</code>
          <CopyButton
            label="Copy the traceparent that the server received"
            text={() => started.trace?.traceparent ?? ''}
          />
        </p>
      )}
      {text.length > maxInputCharacters && (
        <p className="muted">Preview, shortened. Copy gives the whole input.</p>
      )}
    </section>
  )
}

/** The agent's variables that were sent with the call. */
function CallVariables({ variables }: { readonly variables: NonNullable<StoredInvocation['variables']> }) {
  return (
    <dl className={styles.variables} aria-label="Variables of the agent">
      {Object.entries(variables).map(([name, value]) => (
        <div key={name} className="row">
          <dt className="mono muted">{name}</dt>
          <dd className={value === null ? 'muted' : 'mono truncate'}>{value ?? 'not kept'}</dd>
        </div>
      ))}
    </dl>
  )
}
