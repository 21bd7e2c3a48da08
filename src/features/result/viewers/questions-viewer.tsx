import type { ReactNode } from 'react'
import { findSecretFields, noFields } from '../../../../core/tool/is-secret.ts'
import { leaveOutOfValue } from '../../../../core/tool/left-out.ts'
import type { GivenAnswer, QuestionState } from '../../../../core/tool/question.ts'
import { Badge } from '../../../ui/badge.tsx'
import { join } from '../../../ui/join.ts'
import { TextBox } from '../../../ui/scroll.tsx'
import styles from './viewers.module.css'

interface QuestionsViewerProps {
  readonly questions: readonly QuestionState[]
  /** The open question, with its form. */
  readonly children?: ReactNode
}

const words = {
  accept: { text: 'accepted', tone: 'ok' },
  decline: { text: 'declined', tone: 'warn' },
  cancel: { text: 'cancelled', tone: 'plain' },
} as const

const givenBy: Readonly<Record<GivenAnswer['by'], string>> = {
  person: '',
  prepared: 'by a prepared answer',
  client: 'by the client of toolscope mcp',
  toolscope: 'by Toolscope',
  server: '',
}

/** The server's questions during a call, and the answers to them; secrets are masked. */
export function QuestionsViewer({ questions, children }: QuestionsViewerProps) {
  return (
    <ol className={styles.list} aria-label="Questions of the server">
      {questions.map(state =>
        state.answer === undefined ? null : (
          <li key={state.question.id} className={join('box stack padded', styles.asked)}>
            <p className={styles.question}>{state.question.message}</p>
            {state.question.mode === 'url' && <p className="mono small">{state.question.url}</p>}
            <Answered {...state} answer={state.answer} />
          </li>
        ),
      )}
      {children && <li>{children}</li>}
    </ol>
  )
}

function Answered({ question, answer }: QuestionState & { readonly answer: GivenAnswer }) {
  const { text, tone } = words[answer.action]
  const fields = question.mode === 'form' ? findSecretFields(question.schema) : noFields
  return (
    <>
      <p className="row wrap">
        <Badge tone={tone}>{text}</Badge>
        <span className="note">{answer.note ?? givenBy[answer.by]}</span>
      </p>
      {answer.content !== undefined && (
        <TextBox maxHeight={260}>
          {JSON.stringify(leaveOutOfValue(answer.content, fields).kept, undefined, 2)}
        </TextBox>
      )}
    </>
  )
}
