import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react'
import styles from './floating.module.css'

interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>
  /** Drawn while the menu is open. */
  readonly children: ReactNode
  /** Given where something else than the trigger opens it too. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Where the focus goes when it closes; the trigger where this is absent. */
  readonly onCloseFocus?: () => void
  /** Pixels between the trigger and the menu. */
  readonly gap?: number
}

/** A menu under its trigger. All but the trigger is built when it is first opened: a form has hundreds of menus. */
export function Menu({ trigger, children, open, onOpenChange, onCloseFocus, gap = 6 }: MenuProps) {
  const [own, setOwn] = useState(false)
  const [used, setUsed] = useState(false)
  const isOpen = open ?? own
  if (isOpen && !used) setUsed(true)
  const change = (next: boolean) => {
    setOwn(next)
    onOpenChange?.(next)
  }
  // What opens it for the first time is over before there is a menu that could know of it: a key, unless a pointer did.
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
        {/* Pointers and keys have opened it by now, a click by a script has not. */}
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
