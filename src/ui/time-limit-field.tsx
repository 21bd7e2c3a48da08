import { useId } from 'react'
import { parseTimeLimit } from '../../core/text/duration.ts'
import styles from './time-limit-field.module.css'

/** Returns why the text is not a time limit; undefined if it is one, or empty. */
export function findLimitProblem(text: string): string | undefined {
  const isFine = text.trim() === '' || parseTimeLimit(text) !== null
  return isFine ? undefined : 'Enter 500ms, 60s, 5m or 1h: at least 100ms, at most 1h.'
}

interface TimeLimitFieldProps {
  readonly label: string
  /** As typed; empty means the usual limit. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** The usual limit. */
  readonly placeholder: string
  readonly note?: string | undefined
  readonly autoFocus?: boolean
}

/** A field for a time limit: `500ms`, `60s`, `5m`, `1h`. */
export function TimeLimitField({ label, note, value, onChange, ...input }: TimeLimitFieldProps) {
  const id = useId()
  const problem = findLimitProblem(value)
  const about = problem ?? note
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="text-field"
        value={value}
        onChange={event => onChange(event.target.value)}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        aria-invalid={problem === undefined ? undefined : true}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
      />
      {about !== undefined && (
        <p id={`${id}-about`} className={problem === undefined ? 'note' : styles.problem}>
          {about}
        </p>
      )}
    </div>
  )
}
