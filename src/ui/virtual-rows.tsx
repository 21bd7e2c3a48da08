import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'

type RowsOptions<Scroller extends HTMLElement> = Partial<VirtualizerOptions<Scroller, Element>>

/**
 * Draws only the visible rows of a list of any length. The library's own hook renders at each row that a scroll passes;
 * this one renders when other rows are needed.
 * @param rowHeight in pixels
 * @returns the ref of the element that scrolls, and the virtualizer, whose rows `VirtualRows` draws in it
 */
export function useVirtualRows<Scroller extends HTMLElement = HTMLDivElement>(
  count: number,
  rowHeight: number,
  options: RowsOptions<Scroller> = {},
) {
  const scroller = useRef<Scroller>(null)
  const [extractRange] = useState(keepRange)
  const [, draw] = useReducer((times: number) => times + 1, 0)
  const drawn = useRef<{ readonly items: readonly VirtualItem[]; readonly size: number }>(null)
  const all: VirtualizerOptions<Scroller, Element> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 9,
    rangeExtractor: extractRange,
    ...options,
    onChange(virtualizer, isScrolling) {
      const { items, size } = drawn.current ?? {}
      if (virtualizer.getVirtualItems() !== items || virtualizer.getTotalSize() !== size) draw()
      options.onChange?.(virtualizer, isScrolling)
    },
  }
  const [virtualizer] = useState(() => new Virtualizer(all))
  virtualizer.setOptions(all)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => {
    drawn.current = { items: virtualizer.getVirtualItems(), size: virtualizer.getTotalSize() }
    virtualizer._willUpdate()
  })
  return { scroller, virtualizer }
}

/**
 * Returns the visible rows and `overscan` around them, as the same array until a scroll has used two thirds of those
 * around: most steps of the wheel render nothing.
 */
function keepRange() {
  let previous: number[] = []
  return (range: Range): number[] => {
    const { startIndex, endIndex, overscan, count } = range
    const spare = Math.floor(overscan / 3)
    const [first = 0, last = -1] = [previous[0], previous.at(-1)]
    const isReusable =
      first <= Math.max(0, startIndex - spare) &&
      last >= Math.min(count - 1, endIndex + spare) &&
      last < count
    if (!isReusable) previous = defaultRangeExtractor(range)
    return previous
  }
}

/** Returns the visible rows and the given ones: a row that has the focus, or is to receive it, must be drawn. */
export function rangeWith(range: Range, ...required: readonly (number | undefined)[]): number[] {
  const indexes = [...defaultRangeExtractor(range), ...required.filter(index => index !== undefined)]
  return [...new Set(indexes)].sort((left, right) => left - right)
}

interface VirtualRowsProps<Scroller extends HTMLElement> {
  readonly virtualizer: Virtualizer<Scroller, Element>
  /** Draws one row, placed absolutely at `start` pixels. The rows are cached as long as this function is the same. */
  readonly children: (item: VirtualItem) => ReactNode
}

/** The visible rows, in a box as high as all rows. */
export function VirtualRows<Scroller extends HTMLElement>(props: VirtualRowsProps<Scroller>) {
  const { virtualizer, children } = props
  const items = virtualizer.getVirtualItems()
  const drawn = useMemo(() => items.map(children), [items, children])
  return (
    <div style={{ position: 'relative', height: virtualizer.getTotalSize() }} role="none">
      {drawn}
    </div>
  )
}
