import { useLayoutEffect, useRef } from 'react'
import type { Logs } from '../../../../core/tool/call-state.ts'
import { formatBytes } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { EmptyState } from '../../../ui/notes.tsx'
import { ScrollRegion } from '../../../ui/scroll.tsx'
import { texts } from '../texts.ts'
import styles from './viewers.module.css'

/** Pixels; a scroll position closer to the end counts as the end. */
const lineHeight = 20

/** Characters shown, from the end. */
const maxDrawnLength = 200_000

function takeLogTail(logs: Logs): { chunks: Logs['chunks']; hidden: number } {
  let room = maxDrawnLength
  const chunks: Logs['chunks'][number][] = []
  for (const chunk of [...logs.chunks].reverse()) {
    if (room <= 0) break
    const text = chunk.text.slice(-room)
    room -= text.length
    chunks.unshift({ ...chunk, text })
  }
  const visibleLength = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
  return { chunks, hidden: logs.length - visibleLength + logs.dropped }
}

/** The output of the program other than its result: stderr, and stray prints on stdout. */
export function LogsViewer({ logs, isRunning }: { readonly logs: Logs; readonly isRunning: boolean }) {
  const scroller = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  // The end stays visible until the user scrolls up.
  useLayoutEffect(() => {
    const { current } = scroller
    if (current && isRunning && logs.length > 0 && isAtEnd.current) current.scrollTop = current.scrollHeight
  }, [logs, isRunning])
  if (logs.chunks.length === 0) return <EmptyState title={isRunning ? 'Waiting for output…' : 'No logs'} />
  const { chunks, hidden } = takeLogTail(logs)
  return (
    <ScrollRegion
      ref={scroller}
      className={styles.logs}
      label={texts.logs}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - lineHeight
      }}
    >
      {hidden > 0 && <p className="faint">{formatBytes(hidden)} of earlier output are not shown.</p>}
      {chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity of a chunk
        <div key={index} className={join(styles.chunk, chunk.stream === 'stderr' && styles.stderr)}>
          <span className={styles.stream}>{chunk.stream}</span>
          <span className={join('wrapped', styles.logText)}>{chunk.text.replace(ansi, '')}</span>
        </div>
      ))}
    </ScrollRegion>
  )
}

/** Colour codes of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character
const ansi = /\u001b\[[0-9;]*[A-Za-z]/g
