import { useCallback, useSyncExternalStore } from 'react'

/**
 * Returns whether the panes must be stacked. The style sheets contain the same width.
 * @param maxWidth of a narrow page, in pixels
 */
export function useNarrow(maxWidth = 900): boolean {
  const query = `(max-width: ${maxWidth}px)`
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = globalThis.matchMedia?.(query)
      list?.addEventListener('change', listener)
      return () => list?.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => globalThis.matchMedia?.(query).matches ?? false)
}
