import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { type KindProps, textAttributes } from '../control-props.ts'

/** Text that is masked until the user asks to see it. */
export function SecretWidget(props: KindProps<'string'>) {
  const [shown, setShown] = useState(false)
  const attributes = textAttributes(props)
  return (
    <span className={styles.joined}>
      {attributes.value.includes('\n') ? (
        <textarea
          {...attributes}
          className={join(styles.input, styles.long, !shown && styles.masked)}
          rows={3}
        />
      ) : (
        <input {...attributes} className={styles.input} type={shown ? 'text' : 'password'} />
      )}
      <Button aria-pressed={shown} aria-label={`Show ${props.label}`} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
      </Button>
    </span>
  )
}
