import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import styles from './filter-field.module.css'
import { join } from './join.ts'
import { runKey } from './shortcut-handlers.ts'

interface FilterFieldProps {
  readonly label: string
  readonly placeholder: string
  /** The applied filter (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
  readonly icon?: ReactNode
  /** Shown at the end: the shortcut and the button that clears the text. */
  readonly children?: ReactNode | ((text: string, setText: (text: string) => void) => ReactNode)
  /** Handlers by key name. They receive the typed text, which may not be applied yet. */
  readonly keys?: ReadonlyMap<string, (text: string) => void>
  readonly className?: string | undefined
  readonly testId?: string
  readonly ref?: Ref<HTMLInputElement>
}

/** A text field that filters a list once the user stops typing. Escape clears the text, then leaves the field. */
export function FilterField(props: FilterFieldProps) {
  const { label, placeholder, value, onChange, icon, children, keys = [], className, testId, ref } = props
  const [text, change] = useDebouncedText(value, onChange, 100)
  return (
    <div className={join('row', styles.field, className)}>
      {icon}
      <input
        ref={ref}
        type="search"
        className={styles.text}
        data-testid={testId}
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          const clear = () => (text ? change('') : event.currentTarget.blur())
          const more = [...keys].map(([key, run]) => [key, () => run(text)] as const)
          runKey(event, new Map([...more, ['Escape', clear]]))
        }}
      />
      {typeof children === 'function' ? children(text, change) : children}
    </div>
  )
}

/**
 * Returns the text of a field whose value is applied once the user stops typing, or immediately if the field is empty.
 * A value that changes from outside (back, a link, Clear) replaces the text.
 * @param value the applied text
 */
export function useDebouncedText(
  value: string,
  onChange: (text: string) => void,
  debounceMs: number,
): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (value !== applied) {
    setApplied(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        setApplied(next)
        onChange(next)
      },
      next === '' ? 0 : debounceMs,
    )
  }
  return [text, change]
}
