import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { MiniButton } from './buttons.tsx'

/** What can be done to an item of a list as a whole. */
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

/** Moves and removes one item of a list. */
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
