import type { CSSProperties, ReactNode, Ref, UIEventHandler } from 'react'
import { join } from './join.ts'

interface ScrollRegionProps {
  readonly label: string
  readonly className?: string | undefined
  readonly testId?: string | undefined
  readonly children: ReactNode
  readonly ref?: Ref<HTMLElement>
  readonly onScroll?: UIEventHandler<HTMLElement>
}

/** A region that takes the remaining space, and scrolls by pointer and by keys. */
export function ScrollRegion({ label, className, testId, children, ref, onScroll }: ScrollRegionProps) {
  return (
    <section
      ref={ref}
      className={join('scroll', className)}
      aria-label={label}
      data-testid={testId}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
    >
      {children}
    </section>
  )
}

interface TextBoxProps {
  readonly maxHeight: CSSProperties['maxHeight']
  readonly children: ReactNode
}

/** An exact text, in a box that scrolls by pointer and by keys. */
export function TextBox({ maxHeight, children }: TextBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <pre className="box" style={{ maxHeight }} tabIndex={0}>
      {children}
    </pre>
  )
}
