import type { ReactNode } from 'react'
import { type AppErrorShape, toAppError } from '../../core/errors.ts'
import { join } from './join.ts'
import styles from './notes.module.css'
import { TextBox } from './scroll.tsx'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  /** Buttons for the next step. */
  readonly actions?: ReactNode
}

/** Explains why there is nothing here, and what to do. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={join('row wrap', styles.actions)}>{actions}</div>}
    </div>
  )
}

interface ErrorNoteProps {
  /** The thrown value; nothing is shown without an error. */
  readonly error?: unknown
  /** The error as the server described it, instead of `error`. */
  readonly shape?: AppErrorShape
  /** Replaces the error's own title. */
  readonly title?: string
  readonly hint?: string
}

/** An error for the user: what happened, where, what to do next, and the output of the other side. */
export function ErrorNote(props: ErrorNoteProps) {
  const { error, shape = error ? toAppError(error).toShape() : undefined, ...own } = props
  if (shape === undefined) return null
  const { title, detail, hint, output, outputOf } = { ...shape, ...own }
  return (
    <div className={join('stack', styles.error)} data-tone="bad" role="alert">
      <p className={styles.errorTitle}>{title}</p>
      {detail && <p>{detail}</p>}
      {hint?.split('\n').map(line => (
        <p key={line}>{line}</p>
      ))}
      {output && (
        <section aria-label="Output">
          {outputOf && <p>It wrote, asked {outputOf}:</p>}
          <TextBox maxHeight={260}>{output}</TextBox>
        </section>
      )}
    </div>
  )
}
