import { Pin, X } from 'lucide-react'
import {
  type InvocationOutcome,
  invocationOrigins,
  outcomeFilters,
  verdictFilters,
} from '../../../core/history/filter-values.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import styles from './history-filters.module.css'
import { useGoHistory, useHistorySearch } from './history-search.ts'
import { outcomeWords } from './outcome.tsx'

const ageChoices = [
  { value: '1h', label: 'Past hour' },
  { value: '1d', label: 'Past day' },
  { value: '7d', label: 'Past week' },
  { value: '30d', label: 'Past 30 days' },
]
const outcomeChoices = outcomeFilters.map(value => ({
  value,
  label: value === 'failed' ? 'not done' : outcomeWords[value satisfies InvocationOutcome],
}))
const verdictChoices = verdictFilters.map(value => ({
  value,
  label: value === 'valid' || value === 'invalid' ? `output ${value}` : value,
}))
const originChoices = invocationOrigins.map(value => ({ value, label: `by ${value}` }))

/** Which calls are listed. Each filter is a part of the URL. */
export function HistoryFilters() {
  const search = useHistorySearch()
  const go = useGoHistory()
  const { data: sources = [] } = useSources()
  const set = (change: Parameters<typeof go>[0]) => go(change, { replace: true })
  const names = new Set([...sources.map(source => source.name), ...(search.source ? [search.source] : [])])
  const sourceSelect = {
    key: 'source' as const,
    label: 'Source',
    all: 'Any source',
    choices: [...names].map(value => ({ value, label: value })),
  }
  const selects = [
    { key: 'age' as const, label: 'When', all: 'Any time', choices: ageChoices },
    { key: 'outcome' as const, label: 'How it ended', all: 'Any ending', choices: outcomeChoices },
    { key: 'verdict' as const, label: 'Verdict of the output', all: 'Any verdict', choices: verdictChoices },
    ...(names.size > 1 || search.source !== undefined ? [sourceSelect] : []),
    { key: 'origin' as const, label: 'Called by', all: 'Any caller', choices: originChoices },
  ]
  return (
    <search className={styles.filters}>
      <FilterField
        label="Find calls"
        placeholder="Words of the tool, input or result"
        value={search.text ?? ''}
        onChange={text => set({ text: text || undefined })}
      />
      {selects.map(({ key, label, all, choices }) => (
        <SelectFilter
          key={key}
          label={label}
          all={all}
          value={search[key]}
          choices={choices}
          onChange={value => set({ [key]: value })}
        />
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

interface SelectFilterProps {
  readonly label: string
  /** What the first choice says: no filter. */
  readonly all: string
  readonly value: string | undefined
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string | undefined) => void
}

/** One filter as a native list: it opens well on every device. */
export function SelectFilter({ label, all, value, choices, onChange }: SelectFilterProps) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      data-set={value === undefined ? undefined : ''}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {choices.map(choice => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
