import { TriangleAlert } from 'lucide-react'
import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { stateWords } from './source-status.ts'
import styles from './stale-note.module.css'
import { texts } from './texts.ts'

interface StaleNoteProps {
  readonly source: string
  /** Whether the tool is no longer in the catalog. */
  readonly gone: boolean
}

/** Warns above a tool's input that the tool may be outdated. Empty while it is not. */
export function StaleNote({ source, gone }: StaleNoteProps) {
  const { data: sources = [] } = useSources()
  const go = useWorkbenchNavigate()
  const state = sources.find(each => each.name === source)
  const isClosed = gone && (state?.status === 'stopped' || state?.status === 'failed')
  const text = gone
    ? isClosed
      ? `${source} ${stateWords(state)}. What you entered is kept.`
      : 'This tool is no longer in the catalog. What you entered is kept.'
    : state?.status === 'degraded'
      ? `${source} could not be refreshed. This is its last list${state.refreshedAt ? `, read at ${formatClockTime(state.refreshedAt)}` : ''}.`
      : undefined
  return (
    // Always rendered, so that screen readers announce its text.
    <div
      role="status"
      data-testid="stale-note"
      className={text === undefined ? undefined : join('row', styles.note)}
      data-tone="warn"
    >
      {text !== undefined && (
        <>
          <TriangleAlert size={14} aria-hidden className={styles.icon} />
          <span>{text}</span>
          {(isClosed || !gone) && (
            <button
              type="button"
              className={styles.why}
              onClick={() => go({ about: source, tool: undefined, tab: undefined })}
            >
              {isClosed ? texts.aboutSource : 'Why'}
            </button>
          )}
        </>
      )}
    </div>
  )
}

function formatClockTime(time: string): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
