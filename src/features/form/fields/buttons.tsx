import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { join } from '../../../ui/join.ts'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'

/** A text button among the fields. */
export function QuietButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={join(styles.quiet, className)} {...rest} />
}

/** A button with an icon or one short word in a field's row. */
export function MiniButton(props: ComponentProps<'button'>) {
  return <button type="button" className={join('mini', styles.mini)} {...props} />
}

interface ShowMoreProps {
  readonly limit: number
  readonly length: number
  readonly pageSize: number
  /** The plural noun for the entries: `items`. */
  readonly what: string
  readonly onLimit: (limit: number) => void
}

/** Raises the limit of a long list by a page; renders nothing if the whole list is shown. */
export function ShowMore({ limit, length, pageSize, what, onLimit }: ShowMoreProps) {
  if (length <= limit) return null
  return (
    <QuietButton data-more onClick={() => onLimit(limit + pageSize)}>
      Show {Math.min(pageSize, length - limit)} more of {length} {what}
    </QuietButton>
  )
}

/** Edits of a whole list item. */
export interface ItemEdits {
  readonly onRemove: () => void
  readonly onMove: (to: number) => void
  readonly onDuplicate: () => void
}

interface ItemActionsProps extends ItemEdits {
  readonly name: string
  readonly index: number
  readonly length: number
}

/** Buttons that move and remove a list item. */
export function ItemActions({ name, index, length, onRemove, onMove }: ItemActionsProps) {
  return (
    <>
      <MiniButton aria-label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
        <ArrowUp size={13} aria-hidden />
      </MiniButton>
      <MiniButton
        aria-label={`Move ${name} down`}
        disabled={index === length - 1}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDown size={13} aria-hidden />
      </MiniButton>
      <MiniButton data-remove aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={13} aria-hidden />
      </MiniButton>
    </>
  )
}

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
