import { useEffect } from 'react'

/** Names what is open in the tab's title, as long as it is: `deploy · acme`. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} · Toolscope`
    return () => {
      document.title = 'Toolscope'
    }
  }, [name])
}
