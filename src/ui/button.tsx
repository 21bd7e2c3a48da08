import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { join } from './join.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
  /** Why it is off: shown on hover, said to screen readers. It can still be focused. */
  readonly refused?: string | undefined
}

/** A button that never submits a form by accident. */
export function Button({ look = 'plain', className, refused, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={join(styles.button, look !== 'plain' && styles[look], className)}
      {...rest}
      {...(refused !== undefined && off(refused))}
    />
  )
}

/** Also what submits a form does nothing. */
const off = (title: string) => ({
  title,
  type: 'button' as const,
  disabled: false,
  onClick: undefined,
  'aria-disabled': true,
})
