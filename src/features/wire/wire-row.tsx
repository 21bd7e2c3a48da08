import { ArrowLeft, ArrowRight, CircleAlert, Pin, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import type { WireRow } from '../../../core/api/wire.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatBytes } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './wire.module.css'
import {
  failureWords,
  formatLatency,
  formatWireTime,
  kindWord,
  messageName,
  previewText,
  violationWords,
} from './wire-words.ts'

export const rowHeight = 28

export const rowElementId = (seq: number) => `message-${seq}`

interface WireRowLineProps {
  readonly row: WireRow
  /** In the list; a pinned row may be there a second time. */
  readonly isListed?: boolean
  readonly mark: 'open' | 'pair' | undefined
  readonly isPinned: boolean
  /** When `atMs` was 0, in milliseconds since 1970. */
  readonly startedAt: number
  readonly onOpen: (seq: number) => void
}

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
})

/** Formats milliseconds since 1970, to the millisecond. */
export const formatMoment = (milliseconds: number) =>
  `${clock.format(milliseconds)}.${String(Math.floor(milliseconds) % 1000).padStart(3, '0')}`

/** One message: time, direction, kind, name, id, latency and size. It is drawn again only if it changes. */
export const WireRowLine = memo(function WireRowLine(props: WireRowLineProps) {
  const { row, isListed = false, mark, isPinned, startedAt, onOpen } = props
  const isSent = row.direction === 'sent'
  const Arrow = isSent ? ArrowRight : ArrowLeft
  const name = messageName(row)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it handles the keys
    <div
      id={isListed ? rowElementId(row.seq) : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={mark === 'open'}
      className={join(styles.row, mark === 'pair' && styles.pair)}
      data-testid="wire-row"
      data-seq={row.seq}
      onClick={() => onOpen(row.seq)}
    >
      <time className={join('mono faint', styles.time)} title={formatMoment(startedAt + row.atMs)}>
        {formatWireTime(row.atMs)}
      </time>
      <span className={styles.arrow} data-sent={isSent ? '' : undefined}>
        <Arrow size={14} role="img" aria-label={row.direction} />
      </span>
      <span className={join('faint truncate', styles.kind)}>{kindWord(row)}</span>
      <span className={join('row', styles.what)}>
        {isPinned && <Pin size={12} role="img" aria-label="pinned" className={styles.pinned} />}
        {name !== undefined && <code className={styles.name}>{name}</code>}
        {row.tool !== undefined && row.tool !== name && (
          <code className={join('truncate', styles.tool)}>{row.tool}</code>
        )}
        <span className={join('mono truncate muted', styles.preview)}>{previewText(row)}</span>
        <Marks row={row} />
      </span>
      <span className={join('mono faint truncate', styles.id)}>
        {row.id === undefined ? '' : `#${row.id}`}
      </span>
      <span className={join('muted', styles.figure, styles.latency)}>
        {row.latencyMs !== undefined && !isRequest(row) && formatLatency(row.latencyMs)}
      </span>
      <span className={join('faint', styles.figure, styles.size)}>{formatBytes(row.bytes)}</span>
    </div>
  )
})

const isRequest = ({ pairSeq, seq }: WireRow) => pairSeq !== undefined && pairSeq > seq

/** The failure and the violations of a message, in words and by icons. */
export function Marks({ row }: { readonly row: WireRow }) {
  const failure = failureWords(row)
  const [first, ...others] = row.violations ?? []
  return (
    <>
      {failure !== undefined && (
        <Badge tone="bad" icon={CircleAlert}>
          {failure}
        </Badge>
      )}
      {first !== undefined && (
        <Badge tone="warn" icon={TriangleAlert} title={first.message}>
          {violationWords[first.code]}
          {others.length > 0 && ` +${others.length}`}
        </Badge>
      )}
      {row.isCut === true && <Badge>cut</Badge>}
    </>
  )
}
