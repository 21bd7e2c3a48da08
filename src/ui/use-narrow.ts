import { useCallback, useSyncExternalStore } from 'react'

/**
 * Whether the panes have to be stacked. The same width stands in the style sheets.
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
