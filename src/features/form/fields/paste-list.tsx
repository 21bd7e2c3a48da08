import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { QuietButton } from './buttons.tsx'

interface PasteListProps {
  readonly label: string
  /** The text to add, or `null` when it was called off. */
  readonly onDone: (text: string | null) => void
}

/** Many items at once. */
export function PasteList({ label, onDone }: PasteListProps) {
  const [text, setText] = useState('')
  return (
    <div className="stack">
      <textarea
        className={join(styles.input, styles.long)}
        aria-label={`Items to add to ${label}`}
        placeholder="one item a line, or a JSON array"
        rows={4}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className={join('row wrap', styles.buttonRow)}>
        <Button onClick={() => onDone(text)}>Add these</Button>
        <QuietButton onClick={() => onDone(null)}>Never mind</QuietButton>
      </div>
    </div>
  )
}
