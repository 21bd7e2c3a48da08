import { useRef, useState } from 'react'
import { join } from '../../ui/join.ts'
import styles from './tool-pane.module.css'

const shownMs = 4_000

/** A message over the action bar that goes by itself. `show` replaces the one that stands there; '' takes it away. */
export function useBriefMessage() {
  const [message, setMessage] = useState('')
  const timer = useRef<number>(undefined)
  const show = (text: string, forMs = shownMs) => {
    clearTimeout(timer.current)
    setMessage(text)
    timer.current = window.setTimeout(() => setMessage(''), forMs)
  }
  return { message, show }
}

/** Announced too: it stays in the page while it is empty. */
export function BriefMessage({ message, testId }: { readonly message: string; readonly testId: string }) {
  return (
    <span
      role="status"
      className={message === '' ? 'visually-hidden' : join('small', styles.brief)}
      data-testid={testId}
    >
      {message}
    </span>
  )
}
