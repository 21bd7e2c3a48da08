import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import styles from './filter-field.module.css'

/** Milliseconds of rest before what is typed becomes the filter. */
const rest = 150

interface FilterFieldProps {
  readonly label: string
  readonly placeholder: string
  /** The filter that holds now (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
  /** Shown at the end: the key that leads here. */
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A text that filters a list. Typing shows at once; the filter follows when the fingers rest. Escape clears, then leaves. */
export function FilterField({ label, placeholder, value, onChange, children, ref }: FilterFieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The filter changed from outside (back, a link, Clear): the field follows.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setKnown(next)
      onChange(next)
    }, rest)
  }
  return (
    <div className={styles.field}>
      <input
        ref={ref}
        type="search"
        className={styles.text}
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text) change('')
          else event.currentTarget.blur()
        }}
      />
      {children}
    </div>
  )
}
