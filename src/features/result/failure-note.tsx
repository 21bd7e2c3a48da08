import type { EndedEvent } from '../../../core/call/invocation.ts'
import { join } from '../../ui/join.ts'
import { issueText } from './ending-text.ts'
import styles from './result-pane.module.css'

type FailedEvent = Extract<EndedEvent, { type: 'failure' }>

/** Why a call failed: the reason, what to do next, the program's issues, and its stderr. */
export function FailureNote({ failure }: { readonly failure: FailedEvent }) {
  const { message, hint, issues = [], issuesOf, stderr } = failure
  return (
    <div className={join(styles.failure, failure.reason === 'cancelled' && styles.cancelled)}>
      <p className={styles.message}>{message}</p>
      {hint && <p>{hint}</p>}
      {issues.length > 0 && (
        <ul className={styles.issues} aria-label={`Problems of the ${issuesOf ?? 'input'}`}>
          {issues.map(issue => (
            <li key={`${issue.path} ${issue.keyword} ${issue.message}`}>
              <code>{issue.path || `(the whole ${issuesOf ?? 'input'})`}</code> {issueText(issue)}
            </li>
          ))}
        </ul>
      )}
      {stderr?.trim() && (
        <details open={issues.length === 0}>
          <summary className={styles.summary}>What it said on stderr</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
          <pre className={styles.stderr} tabIndex={0}>
            {stderr}
          </pre>
        </details>
      )}
    </div>
  )
}
