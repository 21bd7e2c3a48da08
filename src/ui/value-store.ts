import { useSyncExternalStore } from 'react'

/** A value outside React that components can subscribe to. */
export interface ValueStore<Value> {
  get(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

export function createStore<Value>(initial: Value): ValueStore<Value> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the store's value. The component renders again when it changes. */
export function useStore<Value>(store: ValueStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get)
}
