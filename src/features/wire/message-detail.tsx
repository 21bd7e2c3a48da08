import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Check,
  Copy,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  TriangleAlert,
} from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import type { WireDetail, WireRow } from '../../../core/api/wire.ts'
import { toAppError } from '../../../core/errors.ts'
import { copyAsCommand, copyAsCurl, copyAsLine } from '../../../core/wire/copy-message.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { wireMessageQuery } from '../../api/wire.ts'
import { Badge, Spinner } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { formatBytes, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { MessageViews } from './message-views.tsx'
import { togglePin, usePins } from './pins.ts'
import { SendAgain, type SendAgainProps, toDraft } from './send-again.tsx'
import styles from './wire.module.css'
import { Marks } from './wire-row.tsx'
import {
  describeKind,
  formatLatency,
  formatWireTime,
  kindWord,
  messageName,
  violationRules,
  violationWords,
} from './wire-words.ts'

interface MessageDetailProps extends Pick<SendAgainProps, 'onCall' | 'onSent'> {
  readonly source: SourceState
  readonly seq: number
  /** The row of the list, which may know of an answer that came later. */
  readonly row: WireRow | undefined
  readonly onOpen: (seq: number) => void
  /** The edited text of the message; undefined if it is not being edited. */
  readonly draft: string | undefined
  readonly onDraft: (text: string | undefined) => void
}

/** One message: its facts, the rules that it breaks, its text, and what can be done with it. */
export function MessageDetail(props: MessageDetailProps) {
  const { source, seq } = props
  const pinned = usePins(source.name).find(({ row }) => row.seq === seq)
  const { data = pinned, error } = useQuery(wireMessageQuery(useBackend(), source.name, seq))
  if (data !== undefined) return <Loaded {...props} detail={data} isPinned={pinned !== undefined} />
  if (error === null) return <div className="padded">{<Spinner />}</div>
  if (!isDropped(error))
    return (
      <div className="padded">
        <ErrorNote error={error} />
      </div>
    )
  return (
    <EmptyState title="This message is no longer on the wire">
      The wire has the newest messages of a source. A pinned message stays here.
    </EmptyState>
  )
}

const isDropped = (error: unknown) => /not-found|gone/.test(toAppError(error).code)

interface LoadedMessageProps extends MessageDetailProps {
  readonly detail: WireDetail
  readonly isPinned: boolean
}

function Loaded(props: LoadedMessageProps) {
  const { source, seq, row: listed, detail, isPinned, onOpen, draft, onDraft, onCall, onSent } = props
  const { message } = detail
  const row = listed ?? detail.row
  const isEditing = draft !== undefined
  const refused = useWhyNotSent(source, row)
  const { pairSeq } = row
  useShortcut('go-to-pair', () => pairSeq !== undefined && onOpen(pairSeq), pairSeq !== undefined)
  useShortcut('pin-message', () => togglePin(source.name, detail))
  const copies = [
    { label: 'Copy as curl', text: copyAsCurl(message) },
    { label: 'Copy as command', text: copyAsCommand(message) },
    { label: 'Copy as JSON-RPC line', text: copyAsLine(message) },
  ]
  return (
    <article className="pane" aria-label={`Message ${seq}`}>
      <header className={join('stack', styles.detailHead)}>
        <div className="row wrap">
          <h2 className={join('mono', styles.detailName)} tabIndex={-1} id="message-title">
            {messageName(row) ?? kindWord(row)}
          </h2>
          {row.tool !== undefined && row.tool !== messageName(row) && <code>{row.tool}</code>}
          <Badge tone="info">{describeKind(row)}</Badge>
          <Marks row={row} />
        </div>
        <Facts row={row} />
        <Violations row={row} />
        <div className={join('row wrap', styles.acts)}>
          {pairSeq !== undefined && (
            <Button onClick={() => onOpen(pairSeq)}>
              <ArrowLeftRight size={13} aria-hidden />{' '}
              {pairSeq > seq ? 'Go to the answer' : 'Go to the request'}
            </Button>
          )}
          {row.direction === 'sent' && (
            <Button
              refused={refused}
              aria-expanded={isEditing}
              onClick={() => onDraft(isEditing ? undefined : toDraft(message.text))}
            >
              <Pencil size={13} aria-hidden /> Edit and send again
            </Button>
          )}
          {copies.map(
            ({ label, text }) => text !== undefined && <CopyAsButton key={label} label={label} text={text} />,
          )}
          <Button aria-pressed={isPinned} onClick={() => togglePin(source.name, detail)}>
            <PinIcon icon={isPinned ? PinOff : Pin} /> {isPinned ? 'Unpin' : 'Pin'}
          </Button>
        </div>
      </header>
      {isEditing ? (
        <SendAgain
          key={seq}
          source={source}
          detail={detail}
          text={draft}
          onTextChange={onDraft}
          onCall={onCall}
          onSent={(...after) => {
            onDraft(undefined)
            onSent(...after)
          }}
          onClose={() => onDraft(undefined)}
        />
      ) : (
        <MessageViews key={seq} message={message} />
      )}
    </article>
  )
}

const PinIcon = ({ icon: Icon }: { readonly icon: LucideIcon }) => <Icon size={13} aria-hidden />

function CopyAsButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, copy] = useCopy()
  const Icon = copied ? Check : Copy
  return (
    <Button onClick={() => copy(text)}>
      <Icon size={13} aria-hidden /> {label}
      <span className="visually-hidden" aria-live="polite">
        {copied ? 'Copied' : ''}
      </span>
    </Button>
  )
}

/** Returns why a message cannot be sent again; undefined if it can. */
function useWhyNotSent(source: SourceState, row: WireRow): string | undefined {
  const refused = useRefusal('POST /api/sources/{name}/wire/send')
  const isOpen = source.status === 'ready' || source.status === 'degraded'
  if (refused !== undefined) return refused
  if (!isOpen) return `${source.name} is closed: start it first.`
  if (row.direction !== 'sent') return 'The source sent this message.'
  if (row.isCut === true) return 'The wire has only the beginning of this message.'
  const isRpc = row.kind === 'request' || row.kind === 'notification'
  if (isRpc || row.tool !== undefined) return undefined
  return 'Only a request, a notification or the call of a tool can be sent again.'
}

/** Facts of a message, as pairs. */
function Facts({ row }: { readonly row: WireRow }) {
  const facts = [
    ['Time', `${formatWireTime(row.atMs)} s`],
    ['Id', row.id],
    ['Latency', row.latencyMs !== undefined && formatLatency(row.latencyMs)],
    ['Size', formatBytes(row.bytes)],
    // The messages of a run, or an HTTP request and its answer, have the same number.
    [
      row.part === 'request' || row.part === 'response' || row.part === 'event' ? 'HTTP request' : 'Run',
      row.exchange && `no. ${row.exchange}`,
    ],
    [
      'Call',
      row.callId !== undefined && (
        <Link to="/history" search={{ call: row.callId }}>
          in History
        </Link>
      ),
    ],
  ] as const
  return (
    <dl className={join('row wrap', styles.facts)}>
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== false && (
            <div key={name} className="row">
              <dt className="muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The rules that a message breaks, each with what the server found. */
function Violations({ row: { violations = [] } }: { readonly row: WireRow }) {
  if (violations.length === 0) return null
  return (
    <section className={join('notice stack', styles.violations)} aria-label="Violations of the protocol">
      <h3 className="row">
        <TriangleAlert size={14} aria-hidden /> {plural(violations.length, 'violation')} of the protocol
      </h3>
      <ul className="stack">
        {violations.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <b>{violationWords[code]}</b>: {message}
            <br />
            <span className="small">{violationRules[code]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
