import { useEffect, useState } from 'react'
import { formatDuration } from '../../ui/format.ts'

/** Time since `from` (a `performance.now()` reading), counting while mounted. Renders itself alone. */
export function Elapsed({ from }: { readonly from: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return <>{formatDuration(Math.max(0, now - from))}</>
}
