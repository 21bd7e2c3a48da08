import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react'
import styles from './floating.module.css'

interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>
  /** Rendered while the menu is open. */
  readonly children: ReactNode
  /** Set if something other than the trigger also opens the menu. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Moves the focus when the menu closes; by default the trigger receives it. */
  readonly onCloseFocus?: () => void
  /** Pixels between the trigger and the menu. */
  readonly gap?: number
}

/** A menu below its trigger. It is built when it is first opened: a form has hundreds of menus. */
export function Menu({ trigger, children, open, onOpenChange, onCloseFocus, gap = 6 }: MenuProps) {
  const [own, setOwn] = useState(false)
  const [used, setUsed] = useState(false)
  const isOpen = open ?? own
  if (isOpen && !used) setUsed(true)
  const change = (next: boolean) => {
    setOwn(next)
    onOpenChange?.(next)
  }
  // The menu does not exist yet during the event that first opens it, so this stores whether that was a key.
  const byKey = useRef(true)
  if (!used)
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick({ detail }) {
        byKey.current = detail === 0
        change(true)
      },
      onKeyDown(event) {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        change(true)
      },
    })
  return (
    <Radix.Root open={isOpen} onOpenChange={change} modal={false}>
      <Radix.Trigger asChild>
        {/* The library handles pointers and keys, but not a click by a script (`detail` is 0). */}
        {cloneElement(trigger, { onClick: ({ detail }) => detail === 0 && change(true) })}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          align="end"
          sideOffset={gap}
          collisionPadding={8}
          onFocus={({ target, currentTarget }) => {
            if (!byKey.current || target !== currentTarget) return
            byKey.current = false
            currentTarget.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus()
          }}
          {...(onCloseFocus && {
            onCloseAutoFocus(event: Event) {
              event.preventDefault()
              onCloseFocus()
            },
          })}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  readonly icon?: LucideIcon
  readonly onSelect: () => void
  /** The reason why the entry is disabled. */
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

/** A choice of one entry, which has a check mark. */
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
