import { Link } from '@tanstack/react-router'
import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import buttonStyles from '../ui/button.module.css'
import { Button, IconButton } from '../ui/button.tsx'
import { join } from '../ui/join.ts'
import { commonTexts } from '../ui/texts.ts'
import { dismissToast, type Toast, toasts } from '../ui/toasts.ts'
import { useStore } from '../ui/value-store.ts'
import styles from './shell.module.css'

/** Milliseconds that a toast is shown; the time stops while the pointer or the focus is in it. */
const durationMs = 10_000

const icons = { bad: CircleAlert, warn: TriangleAlert, info: Info }

/** Events that happened while the page was open. The list has a row of its own at the foot, so it covers nothing. */
export function LiveToasts() {
  const visible = useStore(toasts)
  return (
    <Radix.Provider label="Notifications">
      {visible.map(toast => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport label="Notifications ({hotkey})" data-testid="toasts" />
    </Radix.Provider>
  )
}

function ToastRow({ toast: { id, tone, text, stays, diff, undo } }: { readonly toast: Toast }) {
  const Icon = icons[tone]
  return (
    <Radix.Root
      className={join('row', styles.toast)}
      data-tone={tone}
      // Background: screen readers finish their sentence first.
      type="background"
      duration={stays ? Number.POSITIVE_INFINITY : durationMs}
      onOpenChange={open => open || dismissToast(id)}
      data-testid="toast"
    >
      <Icon size={15} aria-hidden className={styles.icon} />
      <Radix.Description className={styles.text}>{text}</Radix.Description>
      {diff && (
        <Radix.Action asChild altText="Open the diff page">
          <Link to="/diff" search={diff} className={join(buttonStyles.button, styles.toastLink)}>
            Show what changed
          </Link>
        </Radix.Action>
      )}
      {undo && (
        <Radix.Action asChild altText={commonTexts.undo}>
          <Button onClick={undo}>{commonTexts.undo}</Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton icon={X} label="Dismiss" />
      </Radix.Close>
    </Radix.Root>
  )
}
