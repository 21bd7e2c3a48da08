import type { LucideIcon } from 'lucide-react'
import styles from './button.module.css'
import { Button, type ButtonProps } from './button.tsx'
import { join } from './join.ts'
import { Tooltip } from './tooltip.tsx'

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
