import type { EndedEvent } from '../../../core/call/invocation.ts'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import { TextBox } from '../../ui/scroll.tsx'
import { issueText } from './ending-text.ts'
import styles from './result-pane.module.css'

type FailedEvent = Extract<EndedEvent, { type: 'failure' }>

/** Why a call failed: the reason, what to do next, the program's issues, and its stderr. */
export function FailureNote({ failure }: { readonly failure: FailedEvent }) {
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
