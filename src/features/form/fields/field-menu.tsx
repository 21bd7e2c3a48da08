import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import floating from '../../../ui/floating.module.css'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'

export interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
}

/** What else can be done with a field. The menu is built when it is first opened: a form has hundreds of them. */
export function FieldMenu({
  labelId,
  items,
  isTabStop = true,
}: {
  /**
   * Id of the field's label: what the button speaks of. Its own name stays short, so that the field alone has the
   * field's.
   */
  readonly labelId: string
  readonly items: () => readonly MenuItem[]
  /** False where something else opens the menu by keys. */
  readonly isTabStop?: boolean
}) {
  const { focus } = useFormScope()
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const attributes = {
    className: join('mini', styles.mini, styles.dots),
    'aria-label': texts.more,
    'aria-describedby': labelId,
    ...(!isTabStop && { tabIndex: -1, title: texts.moreWithKey }),
  }
  if (!used)
    return (
      <button
        type="button"
        {...attributes}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => {
          setUsed(true)
          setOpen(true)
        }}
      />
    )
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger
        {...attributes}
        // Pointers and keys have opened it by now, a click by a script has not.
        onClick={event => event.detail === 0 && setOpen(true)}
      />
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={floating.menu}
          align="end"
          sideOffset={2}
          collisionPadding={8}
          onCloseAutoFocus={event => {
            event.preventDefault()
            focus.afterMenu()
          }}
        >
          {open &&
            items().map(item => (
              <DropdownMenu.Item key={item.label} className={floating.item} onSelect={item.onSelect}>
                {item.label}
              </DropdownMenu.Item>
            ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
