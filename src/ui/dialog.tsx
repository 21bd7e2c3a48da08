import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import buttonStyles from './button.module.css'
import { Button } from './button.tsx'
import styles from './floating.module.css'
import { isInputFocusRequested } from './input-focus.ts'
import { join } from './join.ts'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** For a form with several columns. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A modal window with a heading. */
export function Dialog({ title, wide = false, children, ...window }: DialogProps) {
  return (
    <ModalWindow {...window} className={join(styles.dialog, wide && styles.wide)}>
      <div className={styles.heading}>
        <Radix.Title>{title}</Radix.Title>
        {/* Without a tooltip, which would open with the focus and take the first Escape. */}
        <Button
          look="quiet"
          className={buttonStyles.icon}
          aria-label="Close"
          onClick={() => window.onOpenChange(false)}
        >
          <X size={16} aria-hidden />
        </Button>
      </div>
      <div className={styles.content}>{children}</div>
    </ModalWindow>
  )
}

interface ModalWindowProps extends Pick<DialogProps, 'open' | 'onOpenChange' | 'children'> {
  readonly className: string | undefined
  /** Called after it has closed and returned the focus. */
  readonly onClosed?: () => void
}

/**
 * A modal window, which must contain a `Dialog.Title`. The focus stays inside; Escape and a press outside close it.
 * Then the focus returns to the element that had it.
 */
export function ModalWindow({ open, onOpenChange, ...content }: ModalWindowProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Content {...content} />
      </Radix.Portal>
    </Radix.Root>
  )
}

function Content({ onClosed, ...props }: Pick<ModalWindowProps, 'className' | 'onClosed' | 'children'>) {
  // The library returns the focus only to a trigger, but keys also open these windows.
  const [before] = useState(focusedElement)
  return (
    <Radix.Content
      {...props}
      aria-describedby={undefined}
      onCloseAutoFocus={event => {
        event.preventDefault()
        // The window's action may have moved the focus already.
        if (document.activeElement === document.body && !isInputFocusRequested()) before?.focus()
        onClosed?.()
      }}
    />
  )
}

/** Returns the focused element; in a menu that is about to close, the button that opened it. */
function focusedElement(): HTMLElement | null {
  const focused = document.activeElement
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : focused instanceof HTMLElement ? focused : null
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
