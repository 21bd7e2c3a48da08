import { type ChangeEvent, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
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
    <span className={styles.joined}>
      {/\n/.test(text) ? (
        <textarea
          {...shared}
          className={shown ? join(styles.input, styles.long) : join(styles.input, styles.long, styles.masked)}
          rows={3}
        />
      ) : (
        <input {...shared} className={styles.input} type={shown ? 'text' : 'password'} />
      )}
      <Button aria-pressed={shown} aria-label={`Show ${label}`} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
      </Button>
    </span>
  )
}
