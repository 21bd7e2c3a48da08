import { X } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { filterLabels, toolFilters } from '../../lib/tool-filters.ts'
import { parseFilters, parseSources, useGo, usePlace } from '../../place.ts'
import styles from './filter-chips.module.css'

interface FilterChipsProps {
  readonly matched: number | undefined
  readonly total: number | undefined
}

/** The filters as switches, what the list is limited to, and how many tools are left. */
export function FilterChips({ matched, total }: FilterChipsProps) {
  const place = usePlace()
  const go = useGo()
  const on = parseFilters(place.filter)
  const sources = parseSources(place.source)
  return (
    <div className={styles.chips}>
      {sources.map(source => (
        <button
          key={source}
          type="button"
          className={styles.chip}
          aria-pressed
          aria-label={`Only source ${source}: show all again`}
          onClick={() => go({ source: sources.filter(each => each !== source).join(',') || undefined })}
        >
          <span className="truncate">{source}</span> <X size={11} aria-hidden />
        </button>
      ))}
      {toolFilters.map(filter => {
        const pressed = on.includes(filter)
        const next = pressed ? on.filter(each => each !== filter) : [...on, filter]
        return (
          <button
            key={filter}
            type="button"
            className={styles.chip}
            aria-pressed={pressed}
            onClick={() => go({ filter: next.join(',') || undefined }, { replace: true })}
          >
            {filterLabels[filter]}
          </button>
        )
      })}
      {matched !== undefined && total !== undefined && (
        <span className={styles.count} data-testid="catalog-count" role="status">
          {formatCount(matched)} of {formatCount(total)}
        </span>
      )}
    </div>
  )
}
