import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useSources } from '../../api/use-sources.ts'
import { Loading } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { SplitPane, StackedPane, useNarrow } from '../../ui/split-pane.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { MessageDetail } from './message-detail.tsx'
import { usePins } from './pins.ts'
import type { SendAgainProps } from './send-again.tsx'
import styles from './wire.module.css'
import { findRow, useWireFeed } from './wire-feed.ts'
import { WireFilters, WireHead } from './wire-head.tsx'
import { WireList, wireListId } from './wire-list.tsx'
import { NoMessages, WireStatus } from './wire-notes.tsx'
import { toWireQuery } from './wire-query.ts'
import { formatMoment, WireRowLine } from './wire-row.tsx'
import { useWireSearch } from './wire-search.ts'

export type WirePageProps = Pick<SendAgainProps, 'onCall'>

/** The messages between Toolscope and one source: list, filters and one message in full. */
export function WirePage({ onCall }: WirePageProps) {
  const { data: sources } = useSources()
  const [{ source: name }] = useWireSearch()
  if (sources === undefined) return <Loading>{'Reading the sources…'}</Loading>
  const source = name === undefined ? pickSource(sources) : sources.find(each => each.name === name)
  if (source !== undefined)
    return <WireOfSource key={source.name} source={source} sources={sources} onCall={onCall} />
  return (
    <EmptyState
      title={name === undefined ? 'No sources yet' : `No source “${name.slice(0, 200)}”`}
      actions={
        name === undefined ? (
          <Link to="/sources" className="link">
            {commonTexts.addSource}
          </Link>
        ) : (
          <Link to="/wire" className="link">
            Another source
          </Link>
        )
      }
    >
      {name === undefined
        ? 'The wire shows each message between Toolscope and a source.'
        : 'It may have been removed or renamed.'}
    </EmptyState>
  )
}

/** Returns the source to begin with: an open one that something is sent to. */
function pickSource(sources: readonly SourceState[]): SourceState | undefined {
  const isOpen = ({ status }: SourceState) => status === 'ready' || status === 'degraded'
  return sources.find(each => isOpen(each) && each.callable) ?? sources.find(isOpen) ?? sources[0]
}

interface WireOfSourceProps extends WirePageProps {
  readonly source: SourceState
  readonly sources: readonly SourceState[]
}

function WireOfSource({ source, sources, onCall }: WireOfSourceProps) {
  const narrow = useNarrow()
  const [search, go] = useWireSearch()
  const { call, text, direction, kind, only, message } = search
  const query = useMemo(
    () => toWireQuery({ call, text, direction, kind, only } as typeof search),
    [call, text, direction, kind, only],
  )
  const { feed, state } = useWireFeed(source.name, query)
  const [isFollowing, setFollowing] = useState(message === undefined)
  const [sentAfter, setSentAfter] = useState<number>()
  const open = message === undefined ? undefined : Number(message)
  const pins = usePins(source.name)
  const pinned = useMemo(() => new Set(pins.map(({ row }) => row.seq)), [pins])
  const openMessage = useCallback(
    (seq: number) => {
      setFollowing(false)
      go({ message: String(seq) }, { replace: true })
      void feed.loadBefore(seq)
    },
    [go, feed],
  )
  const loadBefore = useCallback(() => void feed.loadBefore(), [feed])
  useShortcut('follow-wire', () => setFollowing(!isFollowing))

  // After "Send again", the message that was sent is opened as soon as the wire has it.
  const sent =
    sentAfter === undefined
      ? undefined
      : state.rows.find(row => row.seq > sentAfter && row.direction === 'sent' && row.part !== 'stderr')
  useEffect(() => {
    if (sent === undefined) return
    setSentAfter(undefined)
    openMessage(sent.seq)
  }, [sent, openMessage])

  const [drafts, setDrafts] = useState<ReadonlyMap<number, string>>(new Map())
  const setDraft = (seq: number, text: string | undefined) =>
    setDrafts(before => {
      const after = new Map(before)
      if (text === undefined) after.delete(seq)
      else after.set(seq, text)
      return after
    })

  // On a narrow page the list appears again, and gets the focus then.
  const isBack = useRef(false)
  const goBack = () => {
    if (!narrow) return document.getElementById(wireListId)?.focus()
    isBack.current = true
    return go({ message: undefined }, { replace: true })
  }
  useEffect(() => {
    if (open !== undefined || !isBack.current) return
    isBack.current = false
    document.getElementById(wireListId)?.focus()
  }, [open])
  useShortcut('close-message', goBack, open !== undefined)

  const headingId = useId()
  const listed = open === undefined ? undefined : state.rows[findRow(state.rows, open)]
  const enter = () => document.getElementById('message-title')?.focus()
  const list = (
    <section className={styles.wire} aria-labelledby={headingId}>
      <WireHead
        headingId={headingId}
        source={source}
        isPaused={state.facts?.isPaused === true}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onChanged={feed.refresh}
      />
      <WireFilters sources={sources} source={source} />
      <WireStatus source={source} state={state} />
      {state.rows.length > 0 ? (
        <>
          <Columns startedAt={state.facts?.startedAt} />
          {pins.length > 0 && (
            <div className={styles.pins} role="listbox" aria-label="Pinned messages" tabIndex={0}>
              {pins.map(({ row }) => (
                <WireRowLine
                  key={row.seq}
                  row={row}
                  mark={row.seq === open ? 'open' : undefined}
                  isPinned
                  startedAt={Date.parse(state.facts?.startedAt ?? '')}
                  onOpen={openMessage}
                />
              ))}
            </div>
          )}
          <WireList
            label={`Messages of ${source.name}`}
            state={state}
            open={open}
            pinned={pinned}
            isFollowing={isFollowing}
            onFollow={setFollowing}
            onOpen={openMessage}
            onLoadBefore={loadBefore}
            onEnter={enter}
          />
        </>
      ) : (
        <NoMessages source={source} state={state} onChanged={feed.refresh} />
      )}
    </section>
  )
  const detail =
    open === undefined ? (
      <EmptyState title="Choose a message">Its text, its headers and its answer appear here.</EmptyState>
    ) : (
      <MessageDetail
        key={open}
        source={source}
        seq={open}
        row={listed}
        onOpen={openMessage}
        draft={drafts.get(open)}
        onDraft={text => setDraft(open, text)}
        onCall={onCall}
        onSent={after => setSentAfter(after ?? state.facts?.lastSeq ?? 0)}
      />
    )
  if (narrow)
    return open === undefined ? (
      list
    ) : (
      <StackedPane back="Wire" onBack={goBack}>
        {detail}
      </StackedPane>
    )
  return (
    <SplitPane
      id="wire"
      panes={[
        { id: 'messages', size: '58%', minSize: '360px', content: list },
        { id: 'message', size: '42%', minSize: '320px', content: <div className="pane">{detail}</div> },
      ]}
    />
  )
}

interface ColumnsProps {
  /** ISO 8601. */
  readonly startedAt: string | undefined
}

/** The names of the columns; each row says the same to a screen reader. */
function Columns({ startedAt }: ColumnsProps) {
  const title =
    startedAt === undefined
      ? undefined
      : `Seconds since ${formatMoment(Date.parse(startedAt))}, when the wire began`
  return (
    <div className={styles.columns} aria-hidden>
      <span className={styles.time} title={title}>
        Time (s)
      </span>
      <span className={styles.arrow} />
      <span className={styles.kind}>Kind</span>
      <span>Message</span>
      <span className={styles.id}>Id</span>
      <span className={styles.latency}>Latency</span>
      <span className={styles.size}>Size</span>
    </div>
  )
}
