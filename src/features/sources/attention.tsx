import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useSources } from '../../api/use-sources.ts'
import { Dot } from '../../ui/badge.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'

import { FittingAction } from './fitting-action.tsx'
import {
  byAttention,
  healthTone,
  needsAttention,
  shortenError,
  statusWord,
  stoppedText,
} from './source-status.ts'
import { useSourceActions } from './use-source-actions.ts'

const maxRows = 5

/** Sources that failed or need a sign-in, each with the action that helps. Nothing if there are none. */
export function Attention() {
  const { data: sources = [] } = useSources()
  // A source that is retried keeps its row until it is open.
  const [listedNames, setListedNames] = useState<ReadonlySet<string>>(new Set())
  const listed = byAttention(sources).filter(
    source => needsAttention(source) || (listedNames.has(source.name) && isOnTheWay(source)),
  )
  if (listed.some(({ name }) => !listedNames.has(name)) || listedNames.size > listed.length)
    setListedNames(new Set(listed.map(({ name }) => name)))
  if (listed.length === 0) return null
  const others = listed.length - maxRows
  return (
    <OverviewList title="Sources that need attention">
      {listed.slice(0, maxRows).map(source => (
        <AttentionRow key={source.name} source={source} />
      ))}
      {others > 0 && (
        <OverviewRow>
          <Link to="/sources">{others} more</Link>
        </OverviewRow>
      )}
    </OverviewList>
  )
}

/** Sources that are listed and not open, each with a button that opens it. Nothing if there are none. */
export function ClosedSources() {
  const { data: sources = [] } = useSources()
  const closed = sources.filter(source => source.status === 'stopped' && !needsAttention(source))
  if (closed.length === 0) return null
  const others = closed.length - maxRows
  return (
    <OverviewList title="Not open">
      {closed.slice(0, maxRows).map(source => (
        <AttentionRow key={source.name} source={source} about={source.label} />
      ))}
      {others > 0 && (
        <OverviewRow>
          <Link to="/sources">{others} more</Link>
        </OverviewRow>
      )}
    </OverviewList>
  )
}

const isOnTheWay = ({ status }: SourceState) => status === 'opening' || status === 'starting'

interface AttentionRowProps {
  readonly source: SourceState
  /** The text of a source without an error, instead of its state. */
  readonly about?: string
}

function AttentionRow({ source, about }: AttentionRowProps) {
  const actions = useSourceActions(source)
  return (
    <>
      <OverviewRow>
        <Dot tone={healthTone(source)} />
        <Link to="/" search={{ about: source.name }} className={overview.name}>
          {source.name}
        </Link>
        <span className="truncate muted grow" title={source.error?.detail.slice(0, 1_000)}>
          {source.error
            ? shortenError(`${source.error.title}: ${source.error.detail}`)
            : (about ?? (source.status === 'stopped' ? stoppedText(source) : statusWord(source)))}
        </span>
        <FittingAction source={source} actions={actions} />
      </OverviewRow>
      {actions.error && <ErrorNote error={actions.error} />}
    </>
  )
}
