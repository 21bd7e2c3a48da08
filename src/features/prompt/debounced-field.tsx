import type { ComponentProps } from 'react'
import { useDebouncedText } from '../../ui/filter-field.tsx'

interface DebouncedFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** The applied text (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A field whose text is applied once the user stops typing, because each change makes the server count again. */
export function DebouncedField({ value, onChange, ...inputProps }: DebouncedFieldProps) {
  const [text, change] = useDebouncedText(value, onChange, 250)
  return (
    <input
      className="text-field"
      autoComplete="off"
      spellCheck={false}
      {...inputProps}
      value={text}
      onChange={event => change(event.target.value)}
    />
  )
}
