import type { AppErrorShape } from '../../core/errors.ts'
import styles from './notes.module.css'

type ErrorNoteProps = Pick<AppErrorShape, 'title' | 'detail' | 'hint' | 'output'>

/** An error for people: what happened, where, what to do next, and what the other side said. */
export function ErrorNote({ title, detail, hint, output }: ErrorNoteProps) {
  return (
    <div className={styles.error} role="alert">
      <p className={styles.errorTitle}>{title}</p>
      {detail && <p>{detail}</p>}
      {hint && <p className={styles.errorHint}>{hint}</p>}
      {output && (
        <section aria-label="What the other side said">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
          <pre className={styles.errorOutput} tabIndex={0}>
            {output}
          </pre>
        </section>
      )}
    </div>
  )
}
