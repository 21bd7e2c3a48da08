import { Pin, X } from 'lucide-react'
import {
  type InvocationOutcome,
  invocationOrigins,
  outcomeFilters,
  verdictFilters,
} from '../../../core/api/history-filters.ts'
import { outputWords } from '../../../core/tool/output-words.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { join } from '../../ui/join.ts'
import styles from './history-filters.module.css'
import { useHistorySearch } from './history-search.ts'
import { outcomeWords } from './outcome.tsx'
import { texts } from './texts.ts'

const ageChoices = [
  { value: '1h', label: 'Past hour' },
  { value: '1d', label: 'Past day' },
  { value: '7d', label: 'Past week' },
  { value: '30d', label: 'Past 30 days' },
]
const outcomeChoices = outcomeFilters.map(value => ({
  value,
  label: value === 'failed' ? texts.notDone : outcomeWords[value satisfies InvocationOutcome],
}))
const verdictChoices = verdictFilters.map(value => ({
  value,
  label: outputWords(value),
}))
const originChoices = invocationOrigins.map(value => ({ value, label: `by ${value}` }))

/** Which calls are listed. Each filter is a part of the URL. */
export function HistoryFilters() {
  const [search, go] = useHistorySearch()
  const { data: sources = [] } = useSources()
  const set = (change: Parameters<typeof go>[0]) => go(change, { replace: true })
  const names = new Set([...sources.map(source => source.name), ...(search.source ? [search.source] : [])])
  const sourceChoices = [...names].map(value => ({ value, label: value }))
  const selects = [
    { key: 'age', label: 'When', all: 'Any time', choices: ageChoices },
    { key: 'outcome', label: 'Status', all: 'Any status', choices: outcomeChoices },
    { key: 'verdict', label: 'Output validation', all: 'Any validation', choices: verdictChoices },
    { key: 'source', label: 'Source', all: 'Any source', choices: sourceChoices },
    { key: 'origin', label: 'Client', all: 'Any client', choices: originChoices },
  ] as const
  const hasSources = names.size > 1 || search.source !== undefined
  return (
    <search className={join('row wrap', styles.filters)}>
      <FilterField
        label="Find calls"
        placeholder="Search calls"
        value={search.text ?? ''}
        onChange={text => set({ text: text || undefined })}
      />
      {selects
        .filter(({ key }) => key !== 'source' || hasSources)
        .map(({ key, label, all, choices }) => (
          // A native list opens well on every device.
          <select
            key={key}
            className={styles.select}
            aria-label={label}
            data-set={search[key] === undefined ? undefined : ''}
            value={search[key] ?? ''}
            onChange={event => set({ [key]: event.target.value || undefined })}
          >
            <option value="">{all}</option>
            {choices.map(choice => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        ))}
      <Button
        look="quiet"
        aria-pressed={search.pinned === 'yes'}
        className={styles.toggle}
        onClick={() => set({ pinned: search.pinned === 'yes' ? undefined : 'yes' })}
      >
        <Pin size={13} aria-hidden /> Pinned
      </Button>
      {search.tool !== undefined && (
        <Button
          className={styles.tool}
          aria-label={`Only ${search.tool}: show all tools`}
          onClick={() => set({ tool: undefined })}
        >
          <code className="truncate">{search.tool}</code> <X size={12} aria-hidden />
        </Button>
      )}
    </search>
  )
}
