import { useRef, useState } from 'react'
import { join } from '../../ui/join.ts'
import styles from './tool-pane.module.css'

const durationMs = 4_000

export interface Brief {
  readonly text: string
  /** The input text that the message is about: with another text it is outdated. */
  readonly about?: string | undefined
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

export const noMessage: Brief = { text: '' }

/** A message over the action bar that disappears by itself. `show` replaces the current one; '' removes it. */
export function useBriefMessage() {
  const [message, setMessage] = useState(noMessage)
  const timer = useRef<number>(undefined)
  const show = (
    text: string,
    { forMs = durationMs, ...more }: Omit<Brief, 'text'> & { forMs?: number } = {},
  ) => {
    clearTimeout(timer.current)
    setMessage({ text, ...more })
    timer.current = window.setTimeout(() => setMessage(noMessage), forMs)
  }
  return { message, show }
}

interface BriefMessageProps {
  readonly message: Brief
  readonly testId: string
}

/** A live region, so it stays mounted while it is empty. */
export function BriefMessage({ message: { text, action }, testId }: BriefMessageProps) {
  const host = useRef<HTMLSpanElement>(null)
  return (
    <span
      ref={host}
      tabIndex={-1}
      className={text === '' ? 'visually-hidden' : join('row small', styles.brief)}
      data-testid={testId}
    >
      <span role="status">{text}</span>
      {action && (
        <button
          type="button"
          className="link"
          onClick={() => {
            // The button is removed; the focus stays here unless the action moves it.
            host.current?.focus()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </span>
  )
}
