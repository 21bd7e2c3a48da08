import type { DiffReport } from '../../../core/diff/change.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { type ChangeKind, kindLabels } from './change-kind.ts'
import styles from './diff-counts.module.css'
import { parseKinds, useDiffSearch, useGoDiff } from './diff-search.ts'

/** How many of each kind there are. Each count is a switch that shows its kind alone, or with others. */
export function DiffCounts({ report }: { readonly report: DiffReport }) {
  const { show } = useDiffSearch()
  const go = useGoDiff()
  const on = parseKinds(show)
  const counts: readonly (readonly [ChangeKind, number])[] = [
    ['breaking', report.counts.breaking],
    ['dangerous', report.counts.dangerous],
    ['warning', report.counts.warning],
    ['proved', report.proved],
    ['undecided', report.undecided],
  ]
  return (
    <fieldset className={styles.counts}>
      <legend className="visually-hidden">Show only</legend>
      {counts.map(([kind, count]) => {
        const pressed = on.includes(kind)
        const next = pressed ? on.filter(each => each !== kind) : [...on, kind]
        return (
          <button
            key={kind}
            type="button"
            className={styles.count}
            aria-pressed={pressed}
            data-testid={`diff-count-${kind}`}
            onClick={() => go({ show: next.join(',') || undefined }, { replace: true })}
          >
            <b className={join(count > 0 && styles[kind])}>{formatCount(count)}</b> {kindLabels[kind]}
          </button>
        )
      })}
    </fieldset>
  )
}
