import { useEffect } from 'react'

/** Delay before the title is reset: the next tool often follows, and each change of the title notifies the browser. */
const resetAfterMs = 100
let reset: ReturnType<typeof setTimeout> | undefined

/** Shows the name of what is open in the tab's title while mounted: `deploy · acme`. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    clearTimeout(reset)
    document.title = `${name} · Toolscope`
    return () => {
      clearTimeout(reset)
      reset = setTimeout(() => {
        document.title = 'Toolscope'
      }, resetAfterMs)
    }
  }, [name])
}
