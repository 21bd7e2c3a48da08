import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { MiniButton } from './buttons.tsx'

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
