import { useEffect, useRef, useState } from 'react'

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
