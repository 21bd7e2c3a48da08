import type { KeyboardEvent } from 'react'

/** Runs the pressed key's action and stops the event; ignores chords. */
export function runKey(event: KeyboardEvent, actions: ReadonlyMap<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const action = actions.get(event.key)
  if (!action) return
  event.preventDefault()
  action()
}
