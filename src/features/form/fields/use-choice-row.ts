import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Widths in em of the form's 13 px text: the space around a label, and the frame of the row. */
const labelPadding = 24 / 13
const frame = 2 / 13
/** Mean width of an English letter in DejaVu Sans, the widest of the usual system fonts. */
const letter = 0.55

/**
 * Returns the width of choices in a row, in em. It counts characters instead of measuring text, so a schema gives the
 * same form with every system font.
 */
export function rowWidth(labels: readonly string[]): number {
  const text = [...labels.join('')]
  const letters = text.reduce((width, character) => width + (isWide(character) ? 1 : letter), 0)
  return letters + labels.length * labelPadding + frame
}

/** Matches Chinese, Japanese and Korean characters, and emoji. */
const isWide = (character: string) => character >= '\u1100'

/**
 * Returns whether the column is wide enough for a row of choices. The hook decides before the page is painted, and
 * again when the width changes. The focus moves from the replaced control to its replacement.
 * @param labels undefined if the choices are never a row
 */
export function useChoiceRow(
  column: RefObject<HTMLElement | null>,
  labels: readonly string[] | undefined,
): boolean {
  const width = labels === undefined ? Number.POSITIVE_INFINITY : rowWidth(labels)
  const [hasRoom, setHasRoom] = useState(true)
  const update = useEffectEvent((draw: (change: () => void) => void) => {
    const element = column.current
    if (element === null) return
    const next = element.clientWidth >= width * Number.parseFloat(getComputedStyle(element).fontSize)
    if (next === hasRoom) return
    const hadFocus = element.contains(document.activeElement)
    draw(() => setHasRoom(next))
    if (hadFocus) focusControl(element)
  })
  useLayoutEffect(() => {
    const element = column.current
    if (element === null || width === Number.POSITIVE_INFINITY) return
    // An effect must not call flushSync. If the control has the focus, the observer's first report replaces it.
    if (!element.contains(document.activeElement)) update(change => change())
    let frameRequest = 0
    // Waits for the next frame: a change during the report could change a size that was already reported.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frameRequest)
      frameRequest = requestAnimationFrame(() => update(flushSync))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frameRequest)
    }
  }, [column, width])
  return labels !== undefined && hasRoom
}

/** Focuses the select or the checked radio button. */
function focusControl(column: HTMLElement): void {
  const target = column.querySelector('select, input:checked') ?? column.querySelector('input')
  if (target instanceof HTMLElement) target.focus()
}
