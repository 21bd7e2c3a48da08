import { type ComponentProps, useEffect, useRef, useState } from 'react'
import styles from './resting-field.module.css'

/** Milliseconds of rest before what is typed counts. */
const rest = 250

interface RestingFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** The text that holds now (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A field whose text counts when the fingers rest: each change asks the server to count anew. */
export function RestingField({ value, onChange, ...inputProps }: RestingFieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The text changed from outside (back, a link): the field follows.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      className={styles.field}
      autoComplete="off"
      spellCheck={false}
      {...inputProps}
      value={text}
      onChange={event => {
        const next = event.target.value
        setText(next)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          setKnown(next)
          onChange(next)
        }, rest)
      }}
    />
  )
}
