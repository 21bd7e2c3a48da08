import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { ShortcutId } from './shortcuts.ts'

/** What each shortcut does now. A part of the page registers its shortcuts while it is mounted. */
const handlers = new Map<ShortcutId, () => void>()
const listeners = new Set<() => void>()
let available: readonly ShortcutId[] = []

function emitChange(): void {
  available = [...handlers.keys()]
  for (const listener of listeners) listener()
}

/** Runs a shortcut; false when nothing on the page handles it. */
export function runShortcut(id: ShortcutId): boolean {
  const handler = handlers.get(id)
  handler?.()
  return handler !== undefined
}

/** Handles a shortcut while the component is mounted and `enabled`. */
export function useShortcut(id: ShortcutId, run: () => void, enabled = true): void {
  const handler = useEffectEvent(run)
  useEffect(() => {
    if (!enabled) return
    const call = () => handler()
    handlers.set(id, call)
    emitChange()
    return () => {
      if (handlers.get(id) !== call) return
      handlers.delete(id)
      emitChange()
    }
  }, [id, enabled])
}

/** The shortcuts that something on the page handles now. */
export function useAvailableShortcuts(): readonly ShortcutId[] {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => available,
  )
}
