import { useSyncExternalStore } from 'react'

const query = globalThis.matchMedia?.('(max-width: 900px)')

/** Whether the panes have to be stacked. The same width stands in the style sheets. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    listener => {
      query?.addEventListener('change', listener)
      return () => query?.removeEventListener('change', listener)
    },
    () => query?.matches ?? false,
  )
}
