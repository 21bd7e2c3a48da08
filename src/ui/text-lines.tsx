import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import styles from './text-lines.module.css'

interface TextLinesProps {
  readonly lines: readonly string[]
  readonly label: string
  readonly testId?: string
  readonly renderLine?: (line: string) => ReactNode
}

/** A scrolling text of any number of lines; only the visible ones are rendered. Each line must be short. */
export function TextLines({ lines, label, testId, renderLine = line => line }: TextLinesProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 20,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section ref={scroller} className={styles.text} aria-label={label} data-testid={testId} tabIndex={0}>
      <div className={styles.space} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div key={key} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
            {renderLine(lines[index] ?? '')}
          </div>
        ))}
      </div>
    </section>
  )
}

/** A scrolling text in one block, wrapped. */
export function WrappedText({ children, label, testId }: WrappedTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className={styles.wrapped} aria-label={label} data-testid={testId} tabIndex={0}>
      {children}
    </section>
  )
}

interface WrappedTextProps {
  readonly children: ReactNode
  readonly label: string
  readonly testId?: string
}
