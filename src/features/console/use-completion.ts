import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { useBackend } from '../../api/backend.ts'
import { toolQuery } from '../../api/queries.ts'
import { type CompletionItem, type CompletionPlace, completionsAt, placeAt } from './completion.ts'

export interface Completion {
  readonly place: CompletionPlace | undefined
  /** Empty while the list is closed. */
  readonly items: readonly CompletionItem[]
  readonly chosen: number
  /** Moves the choice, round the ends. */
  move(step: 1 | -1): void
  /** The text changed, or the caret moved: `open` shows the list where it was closed. */
  update(text: string, caret: number, open: boolean): void
  close(): void
}

/** What is offered at the caret, and which of it is chosen. */
export function useCompletion(commands: readonly ConsoleCommand[]): Completion {
  const backend = useBackend()
  const [place, setPlace] = useState<CompletionPlace>()
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const command = place === undefined || place.kind === 'command' ? undefined : place.command
  const ref = commands.find(each => each.command === command)?.ref
  const { data: tool } = useQuery({ ...toolQuery(backend, ref ?? ''), enabled: ref !== undefined && isOpen })
  const items = useMemo(
    () => (isOpen && place !== undefined ? completionsAt(place, commands, tool) : []),
    [isOpen, place, commands, tool],
  )
  return {
    place,
    items,
    chosen: Math.min(chosen, Math.max(0, items.length - 1)),
    move: step => setChosen(now => (Math.min(now, items.length - 1) + step + items.length) % items.length),
    update(text, caret, open) {
      setPlace(placeAt(text, caret))
      setChosen(0)
      setIsOpen(open)
    },
    close: () => setIsOpen(false),
  }
}
