import type { DiffReport } from '../../../core/diff/change.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ToggleChips } from '../../ui/toggle-chips.tsx'
import { type ChangeKind, kindLabels } from './change-kind.ts'
import styles from './diff-counts.module.css'
import { parseKinds, useDiffSearch } from './diff-search.ts'

/** How many of each kind there are. Each count is a switch that shows its kind alone, or with others. */
export function DiffCounts({ report }: { readonly report: DiffReport }) {
  const [{ show }, go] = useDiffSearch()
  const counts: readonly (readonly [ChangeKind, number])[] = [
    ['breaking', report.counts.breaking],
    ['dangerous', report.counts.dangerous],
    ['warning', report.counts.warning],
    ['proved', report.proved],
    ['undecided', report.undecided],
  ]
  return (
    <ToggleChips
      legend="Show only"
      className={styles.counts}
      choices={counts.map(([value, count]) => ({
        value,
        testId: `diff-count-${value}`,
        label: (
          <>
            <b className={join(count > 0 && styles[value])}>{formatCount(count)}</b> {kindLabels[value]}
          </>
        ),
      }))}
      pressed={parseKinds(show)}
      onChange={next => go({ show: next.join(',') || undefined }, { replace: true })}
    />
  )
}
