import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { ShortcutId } from './shortcuts.ts'
import { createStore, useStore } from './value-store.ts'

/** The current handler of each shortcut. A component registers its handlers while it is mounted. */
const handlers = createStore<ReadonlyMap<ShortcutId, () => void>>(new Map())

/** Runs a shortcut. Returns false if no component handles it. */
export function runShortcut(id: ShortcutId): boolean {
  const handler = handlers.get().get(id)
  handler?.()
  return handler !== undefined
}

/** Handles a shortcut while the component is mounted and `enabled`. */
export function useShortcut(id: ShortcutId, run: () => void, enabled = true): void {
  const handler = useEffectEvent(run)
  useEffect(() => {
    if (!enabled) return
    const call = () => handler()
    handlers.set(new Map(handlers.get()).set(id, call))
    return () => {
      const others = new Map(handlers.get())
      if (others.get(id) !== call) return
      others.delete(id)
      handlers.set(others)
    }
  }, [id, enabled])
}

/** Returns the shortcuts that a component handles now. */
export function useAvailableShortcuts(): readonly ShortcutId[] {
  return [...useStore(handlers).keys()]
}

/** Returns whether a component handles this shortcut now. */
export function useIsAvailable(id: ShortcutId): boolean {
  return useSyncExternalStore(handlers.subscribe, () => handlers.get().has(id))
}
