import { type ChangeEvent, useState } from 'react'
import { ariaOf, type KindProps } from '../control-props.ts'

/** Text that is masked until the user asks to see it. */
export function SecretWidget(props: KindProps<'string'>) {
  const { label, value, onChange, placeholder } = props
  const [shown, setShown] = useState(false)
  const text = typeof value === 'string' ? value : ''
  const shared = {
    ...ariaOf(props),
    autoComplete: 'off',
    spellCheck: false,
    value: text,
    placeholder,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.target.value === '' ? undefined : event.target.value),
  }
  return (
    <span className="f-joined">
      {/\n/.test(text) ? (
        <textarea {...shared} className={shown ? 'f-in f-long' : 'f-in f-long f-masked'} rows={3} />
      ) : (
        <input {...shared} className="f-in" type={shown ? 'text' : 'password'} />
      )}
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
