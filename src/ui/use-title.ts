import { useEffect } from 'react'

/** One tool goes and the next one comes: each change of the title is a message to the browser. */
const resetAfterMs = 100
let reset: ReturnType<typeof setTimeout> | undefined

/** Names what is open in the tab's title, as long as it is: `deploy · acme`. */
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
