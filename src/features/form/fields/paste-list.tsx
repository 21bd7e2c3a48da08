import { useState } from 'react'
import type { Json } from '../../../../core/json/json.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import { commonTexts } from '../../../ui/texts.ts'
import styles from '../form.module.css'
import { QuietButton } from './buttons.tsx'
import type { ListPasting } from './list-pasting.ts'

interface PasteListProps {
  readonly label: string
  readonly pasting: ListPasting
  /** The items to add, or `null` when it was called off. */
  readonly onDone: (items: readonly Json[] | null) => void
}

/** Many items at once. Says what it understood before they are added. */
export function PasteList({ label, pasting, onDone }: PasteListProps) {
  const [text, setText] = useState('')
  const { items, summary } = pasting.read(text)
  return (
    <div className="stack">
      <textarea
        className={join(styles.input, styles.long)}
        aria-label={`Items to add to ${label}`}
        placeholder={pasting.placeholder}
        rows={4}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <p className="note" role="status">
        {text.trim() !== '' && summary}
      </p>
      <div className={join('row wrap', styles.buttonRow)}>
        <Button disabled={items.length === 0} onClick={() => onDone(items)}>
          Add items
        </Button>
        <QuietButton onClick={() => onDone(null)}>{commonTexts.cancel}</QuietButton>
      </div>
    </div>
  )
}
