import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import styles from './floating.module.css'

interface MenuProps {
  readonly trigger: ReactElement
  readonly children: ReactNode
  /** Given where something else than the trigger opens it too. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}

/** A menu under its trigger. */
export function Menu({ trigger, children, ...state }: MenuProps) {
  return (
    <Radix.Root modal={false} {...state}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.menu} align="end" sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  readonly icon?: LucideIcon
  readonly onSelect: () => void
  /** Why it is off. */
  readonly refused?: string | undefined
  readonly children: ReactNode
}

export function MenuItem({ icon: Icon, onSelect, refused, children }: MenuItemProps) {
  return (
    <Radix.Item className={styles.item} onSelect={onSelect} disabled={refused !== undefined} title={refused}>
      <span className={styles.mark}>{Icon && <Icon size={14} aria-hidden />}</span>
      {children}
    </Radix.Item>
  )
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className={styles.label}>{children}</Radix.Label>
}

export function MenuRule() {
  return <Radix.Separator className={styles.rule} />
}

interface MenuChoicesProps<Value extends string> {
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

/** One of several; the chosen one carries a check mark. */
export function MenuChoices<Value extends string>({ value, choices, onChange }: MenuChoicesProps<Value>) {
  return (
    <Radix.RadioGroup
      value={value}
      onValueChange={next => {
        const choice = choices.find(each => each.value === next)
        if (choice) onChange(choice.value)
      }}
    >
      {choices.map(choice => (
        <Radix.RadioItem key={choice.value} value={choice.value} className={styles.item}>
          <Mark />
          {choice.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

function Mark() {
  return (
    <span className={styles.mark}>
      <Radix.ItemIndicator>
        <Check size={14} aria-hidden />
      </Radix.ItemIndicator>
    </span>
  )
}

interface MenuCheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ReactNode
}

export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
      <Mark />
      {children}
    </Radix.CheckboxItem>
  )
}
