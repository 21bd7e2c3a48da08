import type { Ref } from 'react'
import type { DiffReport } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { ToggleChips } from '../../ui/toggle-chips.tsx'
import styles from './diff-page.module.css'
import { parseSeverities, useDiffSearch } from './diff-search.ts'
import { texts } from './texts.ts'

interface OutlineFiltersProps {
  readonly counts: DiffReport['counts']
  /** The text field. */
  readonly ref: Ref<HTMLInputElement>
}

/** Which tools and changes are shown: by text and by severity, in the outline and in the report. */
export function OutlineFilters({ counts, ref }: OutlineFiltersProps) {
  const [{ q = '', show }, go] = useDiffSearch()
  const pressed = parseSeverities(show)
  const offered = severities.filter(severity => counts[severity] > 0 || pressed.includes(severity))
  return (
    <div className={styles.filters}>
      <FilterField
        ref={ref}
        label={texts.filterToolsAndChanges}
        placeholder={texts.filterToolsAndChanges}
        value={q}
        onChange={next => go({ q: next || undefined }, { replace: true })}
      >
        <ShortcutKeys id="search" />
      </FilterField>
      <ToggleChips
        legend="Show only"
        choices={offered.map(value => ({
          value,
          testId: `diff-count-${value}`,
          label:
            value === 'warning' ? plural(counts.warning, value) : `${formatCount(counts[value])} ${value}`,
        }))}
        pressed={pressed}
        onChange={next => go({ show: next.join(',') || undefined }, { replace: true })}
      />
    </div>
  )
}
