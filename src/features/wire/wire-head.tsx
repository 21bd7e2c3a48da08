import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDownToLine, ChevronDown, Circle, Download, Pause, Play, Square, Trash2, X } from 'lucide-react'
import { memo, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { buildEndpointUrl } from '../../api/request.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { recordingsQuery } from '../../api/wire.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import styles from './wire.module.css'
import { usePause } from './wire-notes.tsx'
import { useWireSearch, wireKinds } from './wire-search.ts'

interface WireHeadProps {
  readonly headingId: string
  readonly source: SourceState
  readonly isPaused: boolean
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
  /** The wire was paused, continued or cleared. */
  readonly onChanged: () => void
}

/** The heading of the wire, and what can be done with all of it. Its messages do not draw it again. */
export const WireHead = memo(function WireHead(props: WireHeadProps) {
  const { headingId, source, isPaused, isFollowing, onFollow, onChanged } = props
  const backend = useBackend()
  const pause = usePause(source.name, onChanged)
  const refusedClear = useRefusal('DELETE /api/sources/{name}/wire')
  const clearing = useMutation({
    mutationFn: () => backend.request('DELETE /api/sources/{name}/wire', { params: { name: source.name } }),
    onSuccess: onChanged,
  })
  return (
    <>
      <header className={join('row wrap', styles.head)}>
        <h1 id={headingId} className={styles.title}>
          Wire
        </h1>
        <div className={join('row wrap', styles.headActs)}>
          <Button
            look="quiet"
            className={styles.toggle}
            aria-pressed={isFollowing}
            title="Stay at the newest message (f)"
            onClick={() => onFollow(!isFollowing)}
          >
            <ArrowDownToLine size={14} aria-hidden /> Follow
          </Button>
          <RecordControl source={source.name} />
          <IconButton
            icon={isPaused ? Play : Pause}
            label={isPaused ? 'Continue the wire' : 'Pause the wire: new messages are left out'}
            aria-pressed={isPaused}
            disabled={pause.isBusy}
            refused={pause.refused}
            onClick={() => pause.set(!isPaused)}
          />
          <IconButton
            icon={Trash2}
            label="Clear the wire"
            disabled={clearing.isPending}
            refused={refusedClear}
            onClick={() => clearing.mutate()}
          />
        </div>
      </header>
      {(pause.error ?? clearing.error) && (
        <div className={styles.note}>
          <ErrorNote error={pause.error ?? clearing.error} />
        </div>
      )}
    </>
  )
})

/** Saves the answer of an address as a file. */
function saveFrom(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

/** Starts and ends a recording of the source, and saves it as a file. */
function RecordControl({ source }: { readonly source: string }) {
  const backend = useBackend()
  const client = useQueryClient()
  const query = recordingsQuery(backend)
  const { data } = useQuery(query)
  const refused = useRefusal('POST /api/recordings')
  const [said, say] = useState('')
  const fileName = `${source.replace(/[^\w.-]+/g, '-')}.toolrec`
  const running = data?.recordings.findLast(each => each.isRunning && each.sources.includes(source))
  const onSettled = () => client.invalidateQueries({ queryKey: query.queryKey })
  const starting = useMutation({
    mutationFn: (withPast: boolean) =>
      backend.request('POST /api/recordings', { body: { sources: [source], withPast } }),
    onSuccess: () => say('Recording'),
    onSettled,
  })
  const stopping = useMutation({
    mutationFn: (id: string) => backend.request('POST /api/recordings/{id}/stop', { params: { id } }),
    onSuccess: ({ id, messages, masked }) => {
      saveFrom(buildEndpointUrl('GET /api/recordings/{id}/file', { params: { id } }), fileName)
      say(`Saved ${plural(messages, 'message')}; ${plural(masked, 'secret was', 'secrets were')} masked`)
    },
    onSettled,
  })
  const error = starting.error ?? stopping.error
  return (
    <>
      {running ? (
        <Button
          look="danger"
          disabled={stopping.isPending}
          refused={refused}
          onClick={() => stopping.mutate(running.id)}
        >
          <Square size={12} aria-hidden /> Stop recording · {formatCount(running.messages)}
        </Button>
      ) : (
        <Menu
          trigger={
            <Button look="quiet">
              <Circle size={12} aria-hidden /> Record <ChevronDown size={14} aria-hidden />
            </Button>
          }
        >
          <MenuItem icon={Circle} refused={refused} onSelect={() => starting.mutate(true)}>
            Record, with the messages so far
          </MenuItem>
          <MenuItem icon={Circle} refused={refused} onSelect={() => starting.mutate(false)}>
            Record from now on
          </MenuItem>
          <MenuItem
            icon={Download}
            onSelect={() =>
              saveFrom(
                buildEndpointUrl('GET /api/sources/{name}/wire/recording', { params: { name: source } }),
                fileName,
              )
            }
          >
            Save the messages so far
          </MenuItem>
        </Menu>
      )}
      <span className="visually-hidden" aria-live="polite" data-testid="wire-said">
        {error ? '' : said}
      </span>
      {error && <ErrorNote error={error} />}
    </>
  )
}

const directionChoices = [
  { value: 'sent', label: 'Sent' },
  { value: 'received', label: 'Received' },
]

const kindLabels: Readonly<Record<(typeof wireKinds)[number], string>> = {
  request: 'Requests',
  notification: 'Notifications',
  result: 'Results',
  error: 'Errors of JSON-RPC',
  event: 'Server-sent events',
  response: 'HTTP answers',
  start: 'Starts of runs',
  stdout: 'stdout',
  stderr: 'stderr',
  end: 'Ends of runs',
}
const kindChoices = wireKinds.map(value => ({ value, label: kindLabels[value] }))

const failureChoices = [
  { value: 'errors', label: 'Errors and violations' },
  { value: 'violations', label: 'Violations' },
]

interface WireFiltersProps {
  readonly source: SourceState
  readonly sources: readonly SourceState[]
}

/** The source and the filters of the list. Each is a part of the URL. */
export function WireFilters({ source, sources }: WireFiltersProps) {
  const [search, go] = useWireSearch()
  const [field, setField] = useState<HTMLInputElement | null>(null)
  useShortcut('search', () => field?.focus())
  const set = (change: Parameters<typeof go>[0]) => go(change, { replace: true })
  return (
    <search className={join('row wrap', styles.filters)}>
      <FilterField
        ref={setField}
        label="Find messages"
        placeholder="Search texts and headers"
        value={search.text ?? ''}
        onChange={text => set({ text: text || undefined })}
      />
      <FilterSelect
        label="Source"
        choices={sources.map(({ name }) => ({ value: name, label: name }))}
        value={source.name}
        onChange={name => go({ source: name, call: undefined, message: undefined })}
      />
      <FilterSelect
        label="Direction"
        all="Both ways"
        choices={directionChoices}
        value={search.direction}
        onChange={value => set({ direction: value as typeof search.direction })}
      />
      <FilterSelect
        label="Kind"
        all="Any kind"
        choices={kindChoices}
        value={search.kind}
        onChange={value => set({ kind: value as typeof search.kind })}
      />
      <FilterSelect
        label="Status"
        all="Any status"
        choices={failureChoices}
        value={search.only}
        onChange={value => set({ only: value as typeof search.only })}
      />
      {search.call !== undefined && (
        <Button
          className={styles.call}
          aria-label="Only one call: show the messages of all"
          onClick={() => set({ call: undefined })}
        >
          One call <X size={12} aria-hidden />
        </Button>
      )}
    </search>
  )
}
