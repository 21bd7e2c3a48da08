import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { CommandId } from './commands.ts'

/** Which commands can be given now, and what they do. A part of the page that is not there offers nothing. */
const handlers = new Map<CommandId, () => void>()
const listeners = new Set<() => void>()
let offered: readonly CommandId[] = []

function announce(): void {
  offered = [...handlers.keys()]
  for (const listener of listeners) listener()
}

/** Runs a command; false when nothing on the page offers it. */
export function runCommand(id: CommandId): boolean {
  const handler = handlers.get(id)
  handler?.()
  return handler !== undefined
}

/** Offers a command while the component is mounted and `enabled`. */
export function useCommand(id: CommandId, run: () => void, enabled = true): void {
  const handler = useEffectEvent(run)
  useEffect(() => {
    if (!enabled) return
    const call = () => handler()
    handlers.set(id, call)
    announce()
    return () => {
      if (handlers.get(id) !== call) return
      handlers.delete(id)
      announce()
    }
  }, [id, enabled])
}

/** The commands that are offered at the moment. */
export function useOffered(): readonly CommandId[] {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offered,
  )
}
