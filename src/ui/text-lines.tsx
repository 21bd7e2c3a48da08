import type { ReactNode } from 'react'
import { join } from './join.ts'
import { ScrollRegion } from './scroll.tsx'
import styles from './text-lines.module.css'
import { useVirtualRows, VirtualRows } from './virtual-rows.tsx'

interface TextLinesProps {
  readonly lines: readonly string[]
  readonly label: string
  readonly testId?: string
  readonly renderLine?: (line: string) => ReactNode
}

/** A scrolling text with any number of lines; only the visible ones are rendered. Each line must be short. */
export function TextLines({ lines, label, testId, renderLine = line => line }: TextLinesProps) {
  const { scroller, virtualizer } = useVirtualRows<HTMLElement>(lines.length, 20, { overscan: 20 })
  return (
    <ScrollRegion ref={scroller} className={styles.text} label={label} testId={testId}>
      <VirtualRows virtualizer={virtualizer}>
        {({ index, key, start }) => (
          <div key={key} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
            {renderLine(lines[index] ?? '')}
          </div>
        )}
      </VirtualRows>
    </ScrollRegion>
  )
}

interface WrappedTextProps {
  readonly children: ReactNode
  readonly label: string
  readonly testId?: string
}

/** A scrolling text in one block, wrapped. */
export function WrappedText(props: WrappedTextProps) {
  return <ScrollRegion className={join('wrapped', styles.text)} {...props} />
}
