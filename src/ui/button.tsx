import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { join } from './join.ts'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
  /** Why the button is disabled, shown on hover and read by screen readers. It stays focusable. */
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

/** A submit button must not submit while it is disabled. */
const off = (title: string) => ({
  title,
  type: 'button' as const,
  disabled: false,
  onClick: undefined,
  'aria-disabled': true,
})

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  readonly icon: LucideIcon
  /** The accessible name; also the tooltip. */
  readonly label: string
}

/** A button with only an icon: screen readers read its name, and it is shown on hover. */
export function IconButton({ icon: Icon, label, look = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button look={look} aria-label={label} className={join(styles.icon, className)} {...rest}>
        <Icon size={16} aria-hidden />
      </Button>
    </Tooltip>
  )
}
