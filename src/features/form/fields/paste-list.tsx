import { useState } from 'react'

interface PasteListProps {
  readonly label: string
  /** The text to add, or `null` when it was called off. */
  readonly onDone: (text: string | null) => void
}

/** Many items at once. */
export function PasteList({ label, onDone }: PasteListProps) {
  const [text, setText] = useState('')
  return (
    <div className="f-paste">
      <textarea
        className="f-in f-long"
        aria-label={`Items to add to ${label}`}
        placeholder="one item a line, or a JSON array"
        rows={4}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className="f-more">
        <button type="button" className="f-btn" onClick={() => onDone(text)}>
          Add these
        </button>
        <button type="button" className="f-quiet" onClick={() => onDone(null)}>
          Never mind
        </button>
      </div>
    </div>
  )
}
