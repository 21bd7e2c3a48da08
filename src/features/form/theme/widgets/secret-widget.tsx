import { useState } from 'react'
import { ariaOf, type KindProps } from '../control-props.ts'

/** Text that is masked until the user asks to see it. */
export function SecretWidget(props: KindProps<'string'>) {
  const { label, value, onChange, placeholder } = props
  const [shown, setShown] = useState(false)
  const text = typeof value === 'string' ? value : ''
  return (
    <span className="f-joined">
      <input
        {...ariaOf(props)}
        className="f-in"
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={placeholder}
        onChange={event => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <button
        type="button"
        className="f-btn"
        aria-pressed={shown}
        aria-label={`Show ${label}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide' : 'Show'}
      </button>
    </span>
  )
}
