import type { ToolStats } from '../../../core/history/history.ts'
import { formatDuration, plural } from '../../ui/format.ts'
import { useGoHistory } from './history-place.ts'
import { outcomeWords, toneOf } from './outcome.tsx'
import styles from './stats-chart.module.css'

const height = 36
const least = 3

/** The newest calls as bars, oldest first: as high as they took long, marked where they went wrong. A bar opens its call. */
export function StatsChart({ recent }: Pick<ToolStats, 'recent'>) {
  const go = useGoHistory()
  if (recent.length < 2) return null
  const longest = Math.max(...recent.map(call => call.durationMs), 1)
  const wrong = recent.filter(call => call.outcome !== 'ok' || call.verdict === 'invalid').length
  return (
    // The list beside it says all of this in words and by keys: the bars are a picture of it.
    <div
      role="img"
      className={styles.chart}
      aria-label={`The newest ${plural(recent.length, 'call')}: up to ${formatDuration(longest)}, ${wrong} not in order`}
    >
      {recent.map(call => {
        const tone = call.outcome === 'ok' && call.verdict === 'invalid' ? 'bad' : toneOf(call.outcome)
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer, see above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same
          <span
            key={call.id}
            className={styles.bar}
            data-tone={tone}
            title={`${formatDuration(call.durationMs)}, ${outcomeWords[call.outcome]}`}
            style={{ height: Math.max(least, Math.round((call.durationMs / longest) * height)) }}
            onClick={() => go({ call: call.id, with: undefined })}
          />
        )
      })}
    </div>
  )
}
