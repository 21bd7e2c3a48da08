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
  { value: '1h', label: texts.pastHour },
  { value: '1d', label: texts.pastDay },
  { value: '7d', label: texts.pastWeek },
  { value: '30d', label: texts.past30Days },
]
const outcomeChoices = outcomeFilters.map(value => ({
  value,
  label: value === 'failed' ? texts.notDone : outcomeWords[value satisfies InvocationOutcome],
}))
const verdictChoices = verdictFilters.map(value => ({
  value,
  label: outputWords(value),
}))
const originChoices = invocationOrigins.map(value => ({ value, label: texts.byClient(value) }))

/** Which calls are listed. Each filter is a part of the URL. */
export function HistoryFilters() {
  const [search, go] = useHistorySearch()
  const { data: sources = [] } = useSources()
  const set = (change: Parameters<typeof go>[0]) => go(change, { replace: true })
  const names = new Set([...sources.map(source => source.name), ...(search.source ? [search.source] : [])])
  const sourceChoices = [...names].map(value => ({ value, label: value }))
  const selects = [
    { key: 'age', label: texts.when, all: texts.anyTime, choices: ageChoices },
    { key: 'outcome', label: texts.status, all: texts.anyStatus, choices: outcomeChoices },
    { key: 'verdict', label: texts.outputValidation, all: texts.anyValidation, choices: verdictChoices },
    { key: 'source', label: texts.source, all: texts.anySource, choices: sourceChoices },
    { key: 'origin', label: texts.client, all: texts.anyClient, choices: originChoices },
  ] as const
  const hasSources = names.size > 1 || search.source !== undefined
  return (
    <search className={join('row wrap', styles.filters)}>
      <FilterField
        label={texts.findCalls}
        placeholder={texts.searchCalls}
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
        <Pin size={13} aria-hidden /> {texts.pinned}
      </Button>
      {search.tool !== undefined && (
        <Button
          className={styles.tool}
          aria-label={texts.onlyTool(search.tool)}
          onClick={() => set({ tool: undefined })}
        >
          <code className="truncate">{search.tool}</code> <X size={12} aria-hidden />
        </Button>
      )}
    </search>
  )
}
