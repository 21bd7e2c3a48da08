import { ExternalLink } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { defaultContent } from '../../../core/checks/prepared-answers.ts'
import { AppError } from '../../../core/errors.ts'
import { isObject, type Json, own, parseJson } from '../../../core/json/json.ts'
import { writeJson } from '../../../core/json/json-text.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import { findSecretFields, isSecretAt } from '../../../core/tool/is-secret.ts'
import type { Answer, Question } from '../../../core/tool/question.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { type Backend, useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { InputEditor, type InputEditorHandle } from '../form/input-editor.tsx'
import styles from './question-card.module.css'

/** The text entered for each open question, which is kept while the user is at another tool. */
const drafts = new Map<string, string>()

interface QuestionCardProps {
  readonly question: Question
  readonly callId: string
  /** The source of the running tool. */
  readonly source: string
}

/** A question of a server, with a form or buttons to answer it. Use the question's id as the key. */
export function QuestionCard({ question, callId, source }: QuestionCardProps) {
  const { id, message, server, note } = question
  const backend = useBackend()
  const refused = useRefusal('POST /api/invocations/{id}/answers')
  const card = useRef<HTMLElement>(null)
  const form = useRef<InputEditorHandle>(null)
  const headingId = useId()
  const [text, setText] = useState(() => drafts.get(id) ?? firstText(question))
  const [issues, setIssues] = useState<readonly ValidationIssue[]>([])
  const [isOpened, setOpened] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()

  useEffect(() => takeFocus(card.current), [])
  useEffect(() => {
    if (issues.length > 0) form.current?.focusFirstError()
  }, [issues])
  const send = async (answer: Answer) => {
    if (isSending || refused !== undefined) return
    setSending(true)
    setError(undefined)
    try {
      const found = await sendAnswer(backend, { callId, question: id, answer })
      setIssues(found)
      if (found.length === 0) drafts.delete(id)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSending(false)
    }
  }
  const accept = () => {
    if (question.mode === 'url') return void (isOpened && send({ action: 'accept' }))
    // The form writes its own text: an object, or nothing.
    const content = parseJson(form.current?.currentText() ?? text) ?? {}
    void send({ action: 'accept', content: content as { readonly [field: string]: Json } })
  }
  const secrets = secretNames(question)
  return (
    <section
      ref={card}
      className={styles.card}
      aria-labelledby={headingId}
      data-testid="question"
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        // The same shortcut calls the tool elsewhere on the page.
        event.stopPropagation()
        accept()
      }}
    >
      <div className={join('stack', styles.head)}>
        <h2 id={headingId}>
          <span className="name">{source}</span> asks
          {question.purpose === 'sampling' && ' for an answer of a language model'}
        </h2>
        {server !== undefined && server !== source && (
          <p className="note">
            Its own name: <code>{server}</code>
          </p>
        )}
        <p className={styles.message}>{message}</p>
        {note !== undefined && <p className="note">{note}</p>}
        {secrets.length > 0 && (
          <p className="notice">
            It asks for a likely secret (<code>{secrets.slice(0, 5).join(', ')}</code>
            ). What you enter goes to <strong>{source}</strong>.
          </p>
        )}
      </div>
      {question.mode === 'url' ? (
        <UrlQuestion url={question.url} isOpened={isOpened} onOpened={() => setOpened(true)} />
      ) : (
        <InputEditor
          ref={form}
          tool={{ ref: id, name: source, inputSchema: closed(question.schema) }}
          label="Answer"
          text={text}
          onTextChange={next => {
            setText(next)
            drafts.set(id, next)
          }}
          mode="form"
          issues={issues}
          visibleIssues={issues}
          onSubmit={accept}
        />
      )}
      <ErrorNote error={error} />
      <div className={join('row wrap', styles.actions)}>
        <Button
          look="primary"
          onClick={accept}
          refused={refused ?? (question.mode === 'url' && !isOpened ? 'Open the address first' : undefined)}
          data-testid="question-accept"
        >
          Accept
        </Button>
        <Button
          onClick={() => void send({ action: 'decline' })}
          refused={refused}
          title="Answers no to the server"
        >
          Decline
        </Button>
        <Button
          onClick={() => void send({ action: 'cancel' })}
          refused={refused}
          title="Ends the question without an answer. The server decides how the call continues"
        >
          Cancel question
        </Button>
        <span className="note">The call’s time limit is paused until you answer.</span>
      </div>
    </section>
  )
}

const firstText = (question: Question) =>
  question.mode === 'form' ? writeJson(defaultContent(question.schema)) : ''

const closedSchemas = new WeakMap<object, JsonSchema>()

/**
 * Forbids other fields, because a form in MCP has only the fields that it names. Returns the same object every time.
 */
function closed(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const known = closedSchemas.get(schema) ?? { additionalProperties: false, ...schema }
  closedSchemas.set(schema, known)
  return known
}

/** Returns the fields of the form that look like secrets. */
function secretNames(question: Question): readonly string[] {
  if (question.mode === 'url' || !isObject(question.schema)) return []
  const fields = findSecretFields(question.schema)
  const properties = own(question.schema, 'properties')
  return isObject(properties) ? Object.keys(properties).filter(name => isSecretAt([name], fields)) : []
}

/** Focuses the first control of the question, unless the user is typing elsewhere. */
function takeFocus(card: HTMLElement | null): () => void {
  const focus = () => {
    const active = document.activeElement
    if (active?.matches('input, textarea, select, [contenteditable]') || card?.contains(active)) return
    const field = card?.querySelector<HTMLElement>('form :is(input, select, textarea):not([tabindex="-1"])')
    const target = field ?? card?.querySelector('button')
    target?.focus({ preventScroll: true })
  }
  // The form is loaded with the first question.
  const observer = new MutationObserver(() => {
    if (card?.querySelector('form') == null) return
    observer.disconnect()
    focus()
  })
  if (card && card.querySelector('form') === null && card.querySelector('[data-url]') === null)
    observer.observe(card, { childList: true, subtree: true })
  else focus()
  return () => observer.disconnect()
}

/** One address may belong to several servers, of which only one has the question, so the request is repeated. */
const maxTries = 8
const pauseMs = 150

interface SentAnswer {
  readonly callId: string
  /** The question's id. */
  readonly question: string
  readonly answer: Answer
}

/**
 * Sends an answer. Resolves with the answer's issues: if there are any, the server did not forward it. Rejects with
 * AppError.
 */
async function sendAnswer(
  backend: Backend,
  { callId, question, answer }: SentAnswer,
): Promise<readonly ValidationIssue[]> {
  for (let tries = 1; ; tries++)
    try {
      const { verdict, issues } = await backend.request('POST /api/invocations/{id}/answers', {
        params: { id: callId },
        body: { question, action: answer.action, ...(answer.content && { content: answer.content }) },
      })
      return verdict === 'invalid' ? issues : []
    } catch (thrown) {
      const mayBeElsewhere = thrown instanceof AppError && thrown.code === 'question-not-found'
      if (!mayBeElsewhere || tries === maxTries) throw thrown
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
}

interface UrlQuestionProps {
  /** An http or https address. */
  readonly url: string
  readonly isOpened: boolean
  readonly onOpened: () => void
}

/** A server's request to open an address: shows it whole, and its host separately. Only the user opens it. */
function UrlQuestion({ url, isOpened, onOpened }: UrlQuestionProps) {
  // A call of an older history may hold an address that is declined today.
  if (!URL.canParse(url)) return <p className="notice">No browser opens the address that it gives.</p>
  const { host, hostname, protocol, username, href } = new URL(url)
  const open = () => {
    // The opened page gets neither a reference to this page nor its address.
    window.open(href, '_blank', 'noopener,noreferrer')
    onOpened()
  }
  return (
    <div className={styles.url} data-url>
      <p>
        It asks you to open this address in a new tab, on <strong className="mono">{host}</strong>. What
        happens there is between you and that host.
      </p>
      <p className={styles.address} data-testid="question-url">
        {href}
      </p>
      {protocol === 'http:' && <p className="notice">It is not encrypted (http).</p>}
      {username !== '' && (
        <p className="notice">
          The text before the @ is not the host: the address leads to <strong>{host}</strong>.
        </p>
      )}
      {/(^|\.)xn--/.test(hostname) && (
        <p className="notice">The host has letters of several scripts, which may look alike.</p>
      )}
      <Button look={isOpened ? 'plain' : 'primary'} onClick={open}>
        <ExternalLink size={14} aria-hidden /> {isOpened ? 'Open again' : `Open ${host.slice(0, 60)}`}
      </Button>
      <p className="note">Finish there, then accept. The server continues.</p>
    </div>
  )
}
