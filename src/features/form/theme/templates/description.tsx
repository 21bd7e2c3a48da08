import { useState } from 'react'

const shortEnough = 220

/** A description as plain text (it is hostile); a long one opens on demand. */
export function Description({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, setOpen] = useState(false)
  const long = text.length > shortEnough || text.split('\n').length > 3
  return (
    <div className="f-about">
      <p id={id} className={long && !open ? 'f-clamped' : undefined}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          className="f-link"
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
