import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether a row that must not wrap has room in its column; measured before it is painted, and whenever the column changes
 * its width. While it has none, draw a control as wide as the column in its place, with the same id: the focus goes from one
 * to the other.
 *
 * @param content another content is measured anew; undefined where there is no row to measure
 */
export function useRoom(id: string, content: string | undefined): boolean {
  /** How wide the row is that had no room, in pixels. */
  const [missing, setMissing] = useState<{ readonly content: string; readonly width: number }>()
  const width = missing?.content === content ? missing?.width : undefined
  const measure = useEffectEvent((draw: (change: () => void) => void) => {
    const element = document.getElementById(id)
    if (element === null || content === undefined) return
    const { scrollWidth, clientWidth, offsetWidth } = element
    // A fraction of a pixel is rounded either way.
    if (width === undefined ? scrollWidth <= clientWidth + 1 : offsetWidth < width) return
    const row = { content, width: scrollWidth + offsetWidth - clientWidth }
    const hadFocus = element.contains(document.activeElement)
    draw(() => setMissing(width === undefined ? row : undefined))
    if (hadFocus) focusControl(id)
  })
  useLayoutEffect(() => {
    // The column stays while what is in it is replaced.
    const column = document.getElementById(id)?.parentElement
    if (!column || content === undefined) return
    // Before it is painted; where the focus is in it, what replaces it has to be there at once, which no effect can do.
    if (!column.contains(document.activeElement)) measure(change => change())
    let frame = 0
    // Not while sizes are reported: what is drawn then may change another that was reported already.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => measure(flushSync))
    })
    observer.observe(column)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [id, content])
  return width === undefined
}

/** Focuses the element, or the chosen one of the radio buttons in it. */
function focusControl(id: string): void {
  const control = document.getElementById(id)
  const radio = control?.querySelector('input:checked') ?? control?.querySelector('input')
  const target = radio ?? control
  if (target instanceof HTMLElement) target.focus()
}
