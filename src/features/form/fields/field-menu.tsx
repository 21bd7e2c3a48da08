import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'

export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
}

/** What else can be done with a field. The menu is built when it is first opened: a form has hundreds of them. */
export function FieldMenu({
  label,
  items,
}: {
  readonly label: string
  readonly items: () => readonly MenuItem[]
}) {
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const name = `More for ${label}`
  if (!used)
    return (
      <button
        type="button"
        className="f-mini"
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => {
          setUsed(true)
          setOpen(true)
        }}
      >
        <Ellipsis size={14} aria-hidden />
      </button>
    )
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger className="f-mini" aria-label={name}>
        <Ellipsis size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="f-menu" align="end" sideOffset={2} collisionPadding={8}>
          {open &&
            items().map(item => (
              <DropdownMenu.Item key={item.label} className="f-menu-item" onSelect={item.onSelect}>
                {item.label}
              </DropdownMenu.Item>
            ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
