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
  /** For a form of several columns. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A modal window with a heading. */
export function Dialog({ title, wide = false, children, ...window }: DialogProps) {
  return (
    <ModalWindow {...window} className={join(styles.dialog, wide && styles.wide)}>
      <div className={styles.heading}>
        <Radix.Title>{title}</Radix.Title>
        {/* Without a tooltip: it would open with the focus, and take the first Escape for itself. */}
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
  /** When it has closed and has given the focus back. */
  readonly onClosed?: () => void
}

/**
 * A modal window, which contains a `Dialog.Title`. The focus stays inside; Escape and a press beside it close it; then the
 * focus returns where it was.
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
  // The library gives it back to a trigger, and keys open these windows too.
  const [before] = useState(focusedElement)
  return (
    <Radix.Content
      {...props}
      aria-describedby={undefined}
      onCloseAutoFocus={event => {
        event.preventDefault()
        // What the window did may have moved the focus already.
        if (document.activeElement === document.body && !isInputFocusRequested()) before?.focus()
        onClosed?.()
      }}
    />
  )
}

/** A menu that is about to close gives way to the button that opened it. */
function focusedElement(): HTMLElement | null {
  const focused = document.activeElement
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : focused instanceof HTMLElement ? focused : null
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
