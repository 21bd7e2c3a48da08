import type { KeyboardEvent } from 'react'

/** Runs what belongs to the pressed key and keeps the key from the page; chords are left alone. */
export function runKey(event: KeyboardEvent, actions: ReadonlyMap<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const action = actions.get(event.key)
  if (!action) return
  event.preventDefault()
  action()
}
