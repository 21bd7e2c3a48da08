import { GitCompareArrows, Pin } from 'lucide-react'
import type { InvocationSummary } from '../../../core/api/history.ts'
import { outputWords } from '../../../core/tool/output-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatDuration, formatTime } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { join } from '../../ui/join.ts'
import styles from './history-row.module.css'
import { useHistorySearch } from './history-search.ts'
import { OutcomeIcon } from './outcome.tsx'
import { texts } from './texts.ts'

export const rowElementId = (id: string) => `call-${id}`

interface HistoryRowProps {
  readonly call: InvocationSummary
  /** Pixels from the top of the list. */
  readonly top: number
}

/** One call: what was called with what, when, how long, and how it ended. */
export function HistoryRow({ call, top }: HistoryRowProps) {
  const [open, go] = useHistorySearch()
  const isOpen = open.call === call.id
  const compared = open.with === call.id
  return (
    <li
      className={join('row hoverable', styles.row, isOpen && styles.open, compared && styles.compared)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <button
        type="button"
        id={rowElementId(call.id)}
        className={join('column', styles.main)}
        aria-current={isOpen || undefined}
        onClick={() => go({ call: call.id, with: undefined })}
      >
        <span className={join('row', styles.line)}>
          <OutcomeIcon end={call} />
          <span className={join('mono truncate', styles.name)}>{call.tool}</span>
          {call.verdict === 'invalid' && <Badge tone="bad">{outputWords('invalid')}</Badge>}
          {call.inputVerdict === 'invalid' && <Badge tone="warn">input invalid</Badge>}
          {call.pinned && <Pin size={12} aria-label="pinned" className={styles.pin} />}
          <span className="grow" />
          <span className={join('note', styles.time)}>
            {call.outcome === 'unfinished' ? texts.unfinished : formatDuration(call.durationMs)}
          </span>
          <time className={join('note', styles.time)} dateTime={call.startedAt}>
            {formatTime(call.startedAt, new Date())}
          </time>
        </span>
        <span className={join('row', styles.line)}>
          <span className={join('mono truncate muted', styles.preview)}>{call.message ?? call.preview}</span>
          <span className="grow" />
          <span className={join('faint truncate', styles.source)}>{call.source}</span>
        </span>
      </button>
      {open.call !== undefined && !isOpen && (
        <IconButton
          icon={GitCompareArrows}
          label={compared ? texts.stopComparing : `Compare the open call with this one of ${call.tool}`}
          aria-pressed={compared}
          onClick={() => go({ with: compared ? undefined : call.id }, { replace: true })}
        />
      )}
    </li>
  )
}
