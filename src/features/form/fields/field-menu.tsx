import { join } from '../../../ui/join.ts'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'

export interface FieldAction {
  readonly label: string
  readonly onSelect: () => void
}

interface FieldMenuProps {
  /**
   * Id of the field's label: what the button speaks of. Its own name stays short, so that the field alone has the
   * field's.
   */
  readonly labelId: string
  readonly items: () => readonly FieldAction[]
  /** False where something else opens the menu by keys. */
  readonly isTabStop?: boolean
}

/** What else can be done with a field. */
export function FieldMenu({ labelId, items, isTabStop = true }: FieldMenuProps) {
  const { focus } = useFormScope()
  return (
    <Menu
      gap={2}
      onCloseFocus={() => focus.afterMenu()}
      trigger={
        <button
          type="button"
          className={join('mini', styles.mini, styles.dots)}
          aria-label="More"
          aria-describedby={labelId}
          {...(!isTabStop && { tabIndex: -1, title: 'More (Shift+F10)' })}
        />
      }
    >
      <FieldItems items={items} />
    </Menu>
  )
}

function FieldItems({ items }: Pick<FieldMenuProps, 'items'>) {
  return items().map(({ label, onSelect }) => (
    <MenuItem key={label} onSelect={onSelect}>
      {label}
    </MenuItem>
  ))
}
