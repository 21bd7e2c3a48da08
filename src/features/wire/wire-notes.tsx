import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge, Loading } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './wire.module.css'
import type { WireState } from './wire-feed.ts'
import { isFiltered, withoutFilters } from './wire-query.ts'
import { useWireSearch } from './wire-search.ts'

interface WireNotesProps {
  readonly source: SourceState
  readonly state: WireState
}

/** How many messages there are, and whether the wire is paused. */
export function WireStatus({ source, state: { facts, error } }: WireNotesProps) {
  const [search] = useWireSearch()
  if (facts === undefined) return null
  const { total, matches, dropped, isPaused } = facts
  const isOpen = source.status === 'ready' || source.status === 'degraded'
  return (
    <p className={join('row wrap note', styles.status)} data-testid="wire-count">
      {isFiltered(search)
        ? `${formatCount(matches)} of ${plural(total, 'message')}`
        : plural(total, 'message')}
      {dropped > 0 && ` · ${formatCount(dropped)} older dropped`}
      {isPaused && <Badge tone="warn">paused: new messages are left out</Badge>}
      {!isOpen && <Badge>{source.status}</Badge>}
      {error !== undefined && <Badge tone="bad">the server does not answer</Badge>}
    </p>
  )
}

interface NoMessagesProps extends WireNotesProps {
  /** The wire was paused, continued or cleared. */
  readonly onChanged: () => void
}

/** Why there is no message, and the way out. */
export function NoMessages({ source, state: { facts, error }, onChanged }: NoMessagesProps) {
  const [search, go] = useWireSearch()
  const openTools = useWorkbenchNavigate()
  const navigate = useNavigate()
  const pause = usePause(source.name, onChanged)
  if (facts === undefined)
    return error === undefined ? (
      <Loading>{'Reading the wire…'}</Loading>
    ) : (
      <div className="padded">
        <ErrorNote error={error} />
      </div>
    )
  if (isFiltered(search) && facts.total > 0) {
    const isCall = search.call !== undefined
    return (
      <EmptyState
        title={isCall ? 'No message of this call' : 'No message matches'}
        actions={
          <Button onClick={() => go(withoutFilters, { replace: true })}>
            {isCall ? 'Show all messages' : commonTexts.clearFilters}
          </Button>
        }
      >
        {isCall && 'The wire has the newest messages since Toolscope started or the wire was cleared.'}
      </EmptyState>
    )
  }
  if (facts.isPaused)
    return (
      <EmptyState
        title="The wire is paused"
        actions={
          <Button look="primary" refused={pause.refused} onClick={() => pause.set(false)}>
            Continue
          </Button>
        }
      >
        Messages are sent, but left out here.
      </EmptyState>
    )
  if (source.kind === 'tap')
    return (
      <EmptyState title="No message yet">
        Each message between your client and {source.name} appears here.
      </EmptyState>
    )
  if (source.callable)
    return (
      <EmptyState
        title="Nothing yet: call a tool"
        actions={<Button onClick={() => openTools({ source: source.name })}>Show its tools</Button>}
      >
        Each message between Toolscope and {source.name} appears here.
      </EmptyState>
    )
  return (
    <EmptyState
      title="Nothing is sent to this source"
      actions={<Button onClick={() => void navigate({ to: '/sources' })}>Sources</Button>}
    >
      {source.name} is closed, or a file that is only read.
    </EmptyState>
  )
}

/** Returns the function that pauses the wire of a source or continues it. */
export function usePause(name: string, onChanged: () => void) {
  const backend = useBackend()
  const changing = useMutation({
    mutationFn: (paused: boolean) =>
      backend.request('PATCH /api/sources/{name}/wire', { params: { name }, body: { paused } }),
    onSuccess: onChanged,
  })
  return {
    set: changing.mutate,
    isBusy: changing.isPending,
    refused: useRefusal('PATCH /api/sources/{name}/wire'),
    error: changing.error,
  }
}
