import { useState } from 'react'
import { formatCount } from '../../ui/format.ts'
import styles from './long-text.module.css'
import { VisibleText } from './visible-text.tsx'

/** Characters that are drawn before anyone asks for more, and at the very most. */
const shortLimit = 1_500
const longLimit = 60_000

/** A text of any length, hostile or not: its beginning, and the rest on demand. */
export function LongText({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false)
  const limit = open ? longLimit : shortLimit
  const cut = text.length > limit
  return (
    <>
      <VisibleText text={cut ? `${text.slice(0, limit)}…` : text} />
      {cut && open && <p className={styles.note}>{formatCount(text.length - limit)} more characters</p>}
      {text.length > shortLimit && (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
        </button>
      )}
    </>
  )
}
