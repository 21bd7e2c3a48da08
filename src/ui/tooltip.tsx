import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'
import styles from './floating.module.css'

/** A name shown on hover and focus. Needs TooltipProvider above it; the child must take a ref. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const TooltipProvider = Radix.Provider
