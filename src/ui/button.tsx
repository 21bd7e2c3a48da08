import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { join } from './join.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
}

/** A button that never submits a form by accident. */
export function Button({ look = 'plain', className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={join(styles.button, look !== 'plain' && styles[look], className)}
      {...rest}
    />
  )
}
