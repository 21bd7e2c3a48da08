import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import buttonStyles from './button.module.css'
import { Button } from './button.tsx'
import styles from './floating.module.css'
import { join } from './join.ts'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** For a form of several columns. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A modal window: focus stays inside, Escape and the cross close it, focus returns where it was. */
export function Dialog({ open, onOpenChange, title, wide = false, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content className={join(styles.dialog, wide && styles.wide)} aria-describedby={undefined}>
          <div className={styles.heading}>
            <Radix.Title>{title}</Radix.Title>
            {/* Without a tooltip: it would open with the focus, and take the first Escape for itself. */}
            <Button
              look="quiet"
              className={buttonStyles.icon}
              aria-label="Close"
              onClick={() => onOpenChange(false)}
            >
              <X size={16} aria-hidden />
            </Button>
          </div>
          <div className={styles.content}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
