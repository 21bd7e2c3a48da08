import type { ReactNode, Ref } from 'react'
import styles from './filter-field.module.css'
import { useDebouncedText } from './use-debounced-text.ts'

interface FilterFieldProps {
  readonly label: string
  readonly placeholder: string
  /** The applied filter (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
  /** Shown at the end: its shortcut. */
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A text that filters a list. The filter is applied once the user stops typing. Escape clears the text, then leaves the field. */
export function FilterField({ label, placeholder, value, onChange, children, ref }: FilterFieldProps) {
  const [text, change] = useDebouncedText(value, onChange, 150)
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
