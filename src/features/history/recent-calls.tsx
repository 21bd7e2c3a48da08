import type { InvocationSummary } from '../../../core/api/history.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { describeEnd, outputWords } from '../../../core/tool/outcome.ts'
import { formatAge, formatDuration } from '../../ui/format.ts'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import { useNow } from '../../ui/use-now.ts'
import { OutcomeIcon } from './outcome.tsx'

interface RecentCallsProps {
  /** Newest first; at least one. */
  readonly calls: readonly InvocationSummary[]
  readonly onOpen: (call: InvocationSummary) => void
}

/** The last calls: tool, outcome, duration and time. */
export function RecentCalls({ calls, onOpen }: RecentCallsProps) {
  const now = new Date(useNow())
  return (
    <OverviewList title="Recent">
      {calls.map(call => (
        <OverviewRow key={call.id} onOpen={() => onOpen(call)}>
          {/* The text next to the icon says the same. */}
          <span className="row" aria-hidden>
            <OutcomeIcon end={call} />
          </span>
          <span className={overview.name}>{visibleName(call.ref)}</span>
          <span className="truncate muted grow">{formatEnding(call)}</span>
          <time className="note" dateTime={call.startedAt}>
            {formatAge(call.startedAt, now)}
          </time>
        </OverviewRow>
      ))}
    </OverviewList>
  )
}

/** Returns `done, output valid · 412 ms` or `failed · 83 ms · No such build`. */
function formatEnding(call: InvocationSummary): string {
  const { outcome, verdict, durationMs, message } = call
  const valid = outcome === 'ok' && verdict === 'valid' ? `, ${outputWords(verdict)}` : ''
  const duration = outcome === 'unfinished' ? undefined : formatDuration(durationMs)
  return [describeEnd(call).text + valid, duration, message].filter(part => part !== undefined).join(' · ')
}
