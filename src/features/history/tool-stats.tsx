import { useQuery } from '@tanstack/react-query'
import type { ToolStats as Stats } from '../../../core/api/history.ts'
import { outputWords } from '../../../core/tool/output-words.ts'
import { useBackend } from '../../api/backend.ts'
import { toolStatsQuery } from '../../api/history.ts'
import { formatCount, formatDuration, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useHistorySearch } from './history-search.ts'
import { endWords, toneOf } from './outcome.tsx'
import { texts } from './texts.ts'
import styles from './tool-stats.module.css'

/** How a tool has done so far: counts, durations, and its newest calls as a chart. Nothing before its first call. */
export function ToolStats({ toolRef }: { readonly toolRef: string }) {
  const { data: stats } = useQuery(toolStatsQuery(useBackend(), toolRef))
  if (!stats || stats.calls === 0) return null
  return (
    <section className={join('row wrap', styles.stats)} aria-label={`Statistics of ${toolRef}`}>
      <dl className={join('row wrap', styles.figures)}>
        {figuresOf(stats).map(({ label, value, bad }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-bad={bad ? '' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <StatsChart recent={stats.recent} />
    </section>
  )
}

function figuresOf({ calls, more, failures, outputViolations, p50Ms, p95Ms }: Stats) {
  const time = (value: number | undefined) => (value === undefined ? '–' : formatDuration(value))
  return [
    { label: more ? 'newest calls' : 'calls', value: formatCount(calls) },
    { label: texts.notDone, value: formatCount(failures), bad: failures > 0 },
    { label: outputWords('invalid'), value: formatCount(outputViolations), bad: outputViolations > 0 },
    { label: 'median', value: time(p50Ms) },
    { label: 'p95', value: time(p95Ms) },
  ]
}

const height = 36
const minHeight = 3

/** The newest calls as bars, oldest first: as high as they took long, marked where they went wrong. A bar opens its call. */
function StatsChart({ recent }: Pick<Stats, 'recent'>) {
  const [, go] = useHistorySearch()
  if (recent.length < 2) return null
  const maxDurationMs = Math.max(...recent.map(call => call.durationMs), 1)
  const wrong = recent.filter(call => call.outcome !== 'ok' || call.verdict === 'invalid').length
  return (
    // The list beside it says all of this in words and by keys: the bars are a picture of it.
    <div
      role="img"
      className={styles.chart}
      aria-label={`The newest ${plural(recent.length, 'call')}: up to ${formatDuration(maxDurationMs)}, ${wrong} failed or invalid`}
    >
      {recent.map(call => {
        const tone = toneOf(call)
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer, see above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same
          <span
            key={call.id}
            className={styles.bar}
            data-tone={tone === 'ok' ? undefined : tone}
            title={`${formatDuration(call.durationMs)}, ${endWords(call)}`}
            style={{ height: Math.max(minHeight, Math.round((call.durationMs / maxDurationMs) * height)) }}
            onClick={() => go({ call: call.id, with: undefined })}
          />
        )
      })}
    </div>
  )
}
