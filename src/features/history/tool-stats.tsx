import { useQuery } from '@tanstack/react-query'
import type { ToolStats as Stats } from '../../../core/history/history.ts'
import { useHistory } from '../../api/backend.ts'
import { toolStatsQuery } from '../../api/history.ts'
import { formatCount, formatDuration } from '../../ui/format.ts'
import { StatsChart } from './stats-chart.tsx'
import styles from './tool-stats.module.css'

/** How a tool has done so far: counts, durations, and its newest calls as a chart. Nothing before its first call. */
export function ToolStats({ toolRef }: { readonly toolRef: string }) {
  const { data: stats } = useQuery(toolStatsQuery(useHistory(), toolRef))
  if (!stats || stats.calls === 0) return null
  return (
    <section className={styles.stats} aria-label={`Statistics of ${toolRef}`}>
      <dl className={styles.figures}>
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
    { label: 'not done', value: formatCount(failures), bad: failures > 0 },
    { label: 'output invalid', value: formatCount(outputViolations), bad: outputViolations > 0 },
    { label: 'median', value: time(p50Ms) },
    { label: 'p95', value: time(p95Ms) },
  ]
}
