import { useEffect, useRef } from 'react'
import { join } from '../../ui/join.ts'
import { useStore } from '../../ui/store.ts'
import { consoleRun } from './console-run.ts'
import type { OutputPart } from './console-state.ts'
import styles from './output-pane.module.css'

/** The output as it arrives; it follows the end unless the user has scrolled up. */
export function OutputPane() {
  const run = useStore(consoleRun)
  const box = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const length = run?.output.length ?? 0
  const last = run?.output.at(-1)?.text.length ?? 0
  const drafted = run?.drafts.at(-1)?.text.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: their change means that something was written
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [length, last, drafted])
  return (
    <section
      ref={box}
      className={join('scroll', styles.pane)}
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
      data-testid="script-output"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {!run && <p className="note">What the script writes appears here.</p>}
      {run?.end && length === 0 && <p className="note">The script wrote nothing.</p>}
      {run && <Parts parts={run.output} />}
      {run && run.drafts.length > 0 && (
        <div className="muted">
          <p className="note">Output so far:</p>
          <Parts parts={run.drafts} />
        </div>
      )}
      {run?.end && run.end.ending !== 'finished' && (
        <p className={styles.end} role="alert">
          {run.end.message}
        </p>
      )}
    </section>
  )
}

function Parts({ parts }: { readonly parts: readonly OutputPart[] }) {
  return parts.map(({ stream, text }, index) => (
    // Parts are only ever added or grow at the end.
    // biome-ignore lint/suspicious/noArrayIndexKey: the index is the identity
    <pre key={index} className={join('wrapped', stream === 'stderr' && styles.stderr)} data-stream={stream}>
      {stream === 'stderr' && <span className="visually-hidden">stderr: </span>}
      {text}
    </pre>
  ))
}
