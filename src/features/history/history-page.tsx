import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, GitCompareArrows, Pin, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { ToolStats as Stats } from '../../../core/api/history.ts'
import { invocationOrigins, outcomeFilters, verdictFilters } from '../../../core/api/history-filters.ts'
import { describeEnd, outcomes, outputWords } from '../../../core/tool/outcome.ts'
import { useBackend } from '../../api/backend.ts'
import { storeStateQuery, toolStatsQuery } from '../../api/history.ts'
import { invalidate } from '../../api/queries.ts'
import { buildEndpointUrl } from '../../api/request.ts'
import { usePerson, useRefusal } from '../../api/use-refusal.ts'
import { useSources } from '../../api/use-sources.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { formatCount, formatDuration, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { SplitPane, StackedPane, useNarrow } from '../../ui/split-pane.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { CallDetail, type HistoryActions } from './call-detail.tsx'
import { CompareCalls } from './compare-calls.tsx'
import styles from './history.module.css'
import { HistoryList } from './history-list.tsx'
import { isFiltered, toHistoryQuery, useHistorySearch } from './history-search.ts'

/** The recorded calls: find, open, repeat and compare them. */
export function HistoryPage({ actions }: { readonly actions: HistoryActions }) {
  const narrow = useNarrow()
  const [{ call, with: other }, go] = useHistorySearch()
  const detail =
    call === undefined ? (
      <EmptyState title="Choose a call">Its input and its result appear here.</EmptyState>
    ) : other === undefined ? (
      <CallDetail key={call} id={call} actions={actions} />
    ) : (
      <CompareCalls first={call} second={other} />
    )
  if (narrow)
    return call === undefined ? (
      <List />
    ) : (
      <StackedPane back="History" onBack={() => go({ call: undefined, with: undefined })}>
        {detail}
      </StackedPane>
    )
  return (
    <SplitPane
      id="history"
      panes={[
        { id: 'calls', size: '42%', minSize: '340px', content: <List /> },
        {
          id: 'call',
          size: '58%',
          minSize: '320px',
          content: <div className="pane">{detail}</div>,
        },
      ]}
    />
  )
}

function List() {
  const backend = useBackend()
  const [search] = useHistorySearch()
  const [clearing, setClearing] = useState(false)
  const { data: state } = useQuery(storeStateQuery(backend))
  return (
    <section className="pane" aria-label="History">
      <header className={join('row wrap', styles.head)}>
        <h1 className={styles.title}>History</h1>
        <div className={join('row wrap', styles.acts)}>
          {backend.has('POST /api/compare') && (
            <Link to="/compare" className={join(buttonStyles.button, buttonStyles.quiet)}>
              <GitCompareArrows size={14} aria-hidden /> Compare two sources
            </Link>
          )}
          <a
            className={join(buttonStyles.button, buttonStyles.quiet)}
            href={buildEndpointUrl('GET /api/history/export', { query: toHistoryQuery(search, Date.now()) })}
            download="toolscope-history.jsonl"
          >
            <Download size={14} aria-hidden /> Export
          </a>
          <Button look="quiet" refused={useRefusal('DELETE /api/history')} onClick={() => setClearing(true)}>
            <Trash2 size={14} aria-hidden /> Clear…
          </Button>
        </div>
      </header>
      {state?.error && (
        <div className={styles.off}>
          <ErrorNote shape={state.error} title="Calls are not being saved" />
        </div>
      )}
      <HistoryFilters />
      {search.tool !== undefined && <ToolStats toolRef={search.tool} />}
      <HistoryList />
      <ClearDialog open={clearing} onOpenChange={setClearing} />
    </section>
  )
}

interface ClearDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks before it deletes the calls that match the filters, or all. */
function ClearDialog({ open, onOpenChange }: ClearDialogProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const [search, go] = useHistorySearch()
  const [pinnedToo, setPinnedToo] = useState(false)
  const which = isFiltered(search) ? 'all calls that the filters show' : 'the whole history'
  const clear = useMutation({
    mutationFn: () => {
      const query = {
        ...toHistoryQuery(search, Date.now()),
        includePinned: pinnedToo ? 'true' : 'false',
      } as const
      return backend.request('DELETE /api/history', { query })
    },
    onSuccess: () => {
      go({ call: undefined, with: undefined }, { replace: true })
      onOpenChange(false)
      return invalidate(client, 'history')
    },
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete calls?">
      <p>This deletes {which} and cannot be undone. Export writes a copy first.</p>
      <label className="row" style={{ minHeight: 24 }}>
        <input type="checkbox" checked={pinnedToo} onChange={event => setPinnedToo(event.target.checked)} />
        Pinned calls too
      </label>
      <ErrorNote error={clear.error} />
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{commonTexts.cancel}</Button>
        <Button look="danger" onClick={() => clear.mutate()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** A tool's counts, durations, and newest calls as a chart. Nothing before its first call. */
function ToolStats({ toolRef }: { readonly toolRef: string }) {
  const { data: stats } = useQuery(toolStatsQuery(useBackend(), toolRef))
  if (!stats || stats.calls === 0) return null
  return (
    <section className={join('row wrap', styles.stats)} aria-label={`Statistics of ${toolRef}`}>
      <dl className={join('row wrap', styles.figures)}>
        {listFigures(stats).map(({ label, value, bad }) => (
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

function listFigures({ calls, more, failures, outputViolations, p50Ms, p95Ms }: Stats) {
  const time = (value: number | undefined) => (value === undefined ? '–' : formatDuration(value))
  return [
    { label: more ? 'newest calls' : 'calls', value: formatCount(calls) },
    { label: 'not done', value: formatCount(failures), bad: failures > 0 },
    { label: outputWords('invalid'), value: formatCount(outputViolations), bad: outputViolations > 0 },
    { label: 'median', value: time(p50Ms) },
    { label: 'p95', value: time(p95Ms) },
  ]
}

const height = 36
const minHeight = 3

/**
 * The newest calls as bars, oldest first: the height is the duration, and a mark shows a failure. A click opens the
 * call.
 */
function StatsChart({ recent }: Pick<Stats, 'recent'>) {
  const [, go] = useHistorySearch()
  if (recent.length < 2) return null
  const maxDurationMs = Math.max(...recent.map(call => call.durationMs), 1)
  const wrong = recent.filter(call => call.outcome !== 'ok' || call.verdict === 'invalid').length
  return (
    // The list next to it has the same data in text and for the keyboard, so the chart is an image.
    <div
      role="img"
      className={styles.chart}
      aria-label={`The newest ${plural(recent.length, 'call')}: up to ${formatDuration(maxDurationMs)}, ${wrong} failed or invalid`}
    >
      {recent.map(call => {
        const { text, tone } = describeEnd(call)
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer, see above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same
          <span
            key={call.id}
            className={styles.bar}
            data-tone={tone === 'ok' ? undefined : tone}
            title={`${formatDuration(call.durationMs)}, ${text}`}
            style={{ height: Math.max(minHeight, Math.round((call.durationMs / maxDurationMs) * height)) }}
            onClick={() => go({ call: call.id, with: undefined })}
          />
        )
      })}
    </div>
  )
}

const ageChoices = [
  { value: '1h', label: 'Past hour' },
  { value: '1d', label: 'Past day' },
  { value: '7d', label: 'Past week' },
  { value: '30d', label: 'Past 30 days' },
]
const outcomeChoices = outcomeFilters.map(value => ({
  value,
  label: value === 'failed' ? 'not done' : outcomes[value].label,
}))
const verdictChoices = verdictFilters.map(value => ({
  value,
  label: outputWords(value),
}))
const originChoices = invocationOrigins.map(value => ({ value, label: `by ${value}` }))

/** The filters of the list. Each is a part of the URL. */
function HistoryFilters() {
  const [search, go] = useHistorySearch()
  const { data: sources = [] } = useSources()
  const me = usePerson()?.name
  const set = (change: Parameters<typeof go>[0]) => go(change, { replace: true })
  const names = new Set([...sources.map(source => source.name), ...(search.source ? [search.source] : [])])
  // Only the operator's command lists all people: the details of a call filter by its own.
  const people = new Set([me, search.person].filter(name => name !== undefined))
  const personChoices = [...people].map(value => ({
    value,
    label: value === me ? `by me, ${value}` : `by ${value}`,
  }))
  const sourceChoices = [...names].map(value => ({ value, label: value }))
  const selects = [
    { key: 'age', label: 'When', all: 'Any time', choices: ageChoices },
    { key: 'outcome', label: 'Status', all: 'Any status', choices: outcomeChoices },
    { key: 'verdict', label: 'Output validation', all: 'Any validation', choices: verdictChoices },
    { key: 'source', label: 'Source', all: 'Any source', choices: sourceChoices },
    { key: 'origin', label: 'Client', all: 'Any client', choices: originChoices },
    { key: 'person', label: 'Person', all: 'Any person', choices: personChoices },
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
        .filter(({ key }) => (key !== 'source' || hasSources) && (key !== 'person' || people.size > 0))
        .map(({ key, label, all, choices }) => (
          <FilterSelect
            key={key}
            label={label}
            all={all}
            choices={choices}
            value={search[key]}
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
