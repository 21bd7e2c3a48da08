import { Eye, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import type { ToolFilter } from '../../../core/catalog/rows.ts'
import { useBackend } from '../../api/backend.ts'
import { useSources } from '../../api/use-sources.ts'
import {
  filterLabels,
  parseFilters,
  parseSources,
  toolFilters,
  useWorkbenchNavigate,
  useWorkbenchSearch,
} from '../../navigation.ts'
import chipStyles from '../../ui/toggle-chips.module.css'
import { ToggleChips } from '../../ui/toggle-chips.tsx'
import styles from './catalog.module.css'

/** The filters as switches, and the sources that the list is limited to. */
export function FilterChips() {
  const search = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const on = parseFilters(search.filter)
  const sources = parseSources(search.source)
  const { data: known = [] } = useSources()
  const backend = useBackend()
  // Where every tool can be called, or none, that filter would be noise.
  const mixed = backend.has('POST /api/invocations') && known.some(source => !source.callable)
  const offered = toolFilters.filter(filter => filter !== 'callable' || on.includes(filter) || mixed)
  return (
    <div className={styles.chips}>
      {sources.map(source => (
        <button
          key={source}
          type="button"
          className={chipStyles.chip}
          aria-pressed
          aria-label={`Only source ${source}: show all again`}
          onClick={() => go({ source: sources.filter(each => each !== source).join(',') || undefined })}
        >
          <span className="truncate">{source}</span> <X size={11} aria-hidden />
        </button>
      ))}
      <ToggleChips
        legend="Filters"
        choices={offered.map(value => ({
          value,
          label: <FilterLabel filter={value} />,
          ...(titles[value] && { title: titles[value] }),
        }))}
        pressed={on}
        onChange={next => go({ filter: next.join(',') || undefined }, { replace: true })}
      />
    </div>
  )
}

const icons: Partial<Record<ToolFilter, LucideIcon>> = { 'read-only': Eye, destructive: TriangleAlert }
const addUp = 'Read-only and destructive together show both.'
const titles: Partial<Record<ToolFilter, string>> = { 'read-only': addUp, destructive: addUp }

function FilterLabel({ filter }: { readonly filter: ToolFilter }) {
  const Icon = icons[filter]
  return (
    <>
      {Icon && <Icon size={11} aria-hidden />}
      {filterLabels[filter]}
    </>
  )
}
