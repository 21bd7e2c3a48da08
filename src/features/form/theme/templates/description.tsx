import { useState } from 'react'
import styles from '../../form.module.css'

const shortEnough = 220

/** A description as plain text (it is hostile); a long one opens on demand. */
export function Description({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, setOpen] = useState(false)
  const long = text.length > shortEnough || text.split('\n').length > 3
  return (
    <div className={styles.description}>
      <p id={id} className={long && !open ? styles.clamped : undefined}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          className={styles.link}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'less' : 'more'}
        </button>
      )}
    </div>
  )
}
