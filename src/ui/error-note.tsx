import { type AppErrorShape, toAppError } from '../../core/errors.ts'
import { join } from './join.ts'
import styles from './notes.module.css'
import { TextBox } from './scroll.tsx'

interface ErrorNoteProps {
  /** Whatever was thrown; nothing is shown while there is no error. */
  readonly error?: unknown
  /** The error as the server described it, in place of `error`. */
  readonly shape?: AppErrorShape
  /** In place of the error's own. */
  readonly title?: string
  readonly hint?: string
}

/** An error for people: what happened, where, what to do next, and what the other side said. */
export function ErrorNote(props: ErrorNoteProps) {
  const { error, shape = error ? toAppError(error).toShape() : undefined, ...own } = props
  if (shape === undefined) return null
  const { title, detail, hint, output } = { ...shape, ...own }
  return (
    <div className={join('stack', styles.error)} data-tone="bad" role="alert">
      <p className={styles.errorTitle}>{title}</p>
      {detail && <p>{detail}</p>}
      {hint && <p>{hint}</p>}
      {output && (
        <section aria-label="Output">
          <TextBox maxHeight={260}>{output}</TextBox>
        </section>
      )}
    </div>
  )
}
