import type { AppErrorShape } from '../../core/errors.ts'
import styles from './error-note.module.css'

type ErrorNoteProps = Pick<AppErrorShape, 'title' | 'detail' | 'hint' | 'output'>

/** An error for people: what happened, where, what to do next, and what the other side said. */
export function ErrorNote({ title, detail, hint, output }: ErrorNoteProps) {
  return (
    <div className={styles.note} role="alert">
      <p className={styles.title}>{title}</p>
      {detail && <p>{detail}</p>}
      {hint && <p className={styles.hint}>{hint}</p>}
      {output && (
        <section aria-label="What the other side said">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
          <pre className={styles.output} tabIndex={0}>
            {output}
          </pre>
        </section>
      )}
    </div>
  )
}
