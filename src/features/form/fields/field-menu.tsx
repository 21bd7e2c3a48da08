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
   * Id of the field's label, which describes the button. The button's own name is short, so that only the field has the
   * field's name.
   */
  readonly labelId: string
  readonly items: () => readonly FieldAction[]
  /** False if another key opens the menu. */
  readonly isTabStop?: boolean
}

/** The menu of further actions on a field. */
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
