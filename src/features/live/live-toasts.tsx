import { Link } from '@tanstack/react-router'
import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import buttonStyles from '../../ui/button.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { join } from '../../ui/join.ts'
import { useStore } from '../../ui/store.ts'
import styles from './live-toasts.module.css'
import { dismissToast, type Toast, toasts } from './toasts.ts'

/** Milliseconds that a passing toast is shown. */
const shownFor = 10_000

const icons = { bad: CircleAlert, warn: TriangleAlert, info: Info }

/** What happened while the page was open. It has a place of its own at the foot: nothing is covered by it. */
export function LiveToasts() {
  const shown = useStore(toasts)
  return (
    // Always there: a live region that comes with its text is not read out.
    <section className={styles.strip} aria-label="News" aria-live="polite" data-testid="toasts">
      {shown.map(toast => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  const { id, tone, text, stays, diff } = toast
  const [held, setHeld] = useState(false)
  // Whoever points at it or stands in it is reading it.
  useEffect(() => {
    if (stays || held) return
    const timer = setTimeout(() => dismissToast(id), shownFor)
    return () => clearTimeout(timer)
  }, [id, stays, held])
  const Icon = icons[tone]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that somebody is here
    <div
      className={join(styles.toast, styles[tone])}
      data-testid="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={15} aria-hidden className={styles.icon} />
      <span className={styles.text}>{text}</span>
      {diff && (
        <Link
          to="/diff"
          search={diff}
          className={join(buttonStyles.button, styles.link)}
          onClick={() => dismissToast(id)}
        >
          Show what changed
        </Link>
      )}
      <IconButton icon={X} label="Dismiss" onClick={() => dismissToast(id)} />
    </div>
  )
}
