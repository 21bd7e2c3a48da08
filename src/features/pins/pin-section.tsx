import { Link } from '@tanstack/react-router'
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PinList, SourcePin } from '../../../core/api/pins.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useBackend } from '../../api/backend.ts'
import { useApprovalRemoval, usePins } from '../../api/pins.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { describeCounts, formatApproval } from './pin-words.ts'
import styles from './pins.module.css'

/** Blocked entries that are listed. */
const maxBlocked = 5

const stateLooks = {
  unpinned: { tone: 'plain', word: 'not approved', Icon: ShieldQuestion },
  same: { tone: 'ok', word: 'approved', Icon: ShieldCheck },
  differs: { tone: 'plain', word: 'changed, allowed', Icon: ShieldCheck },
  blocked: { tone: 'warn', word: 'needs review', Icon: ShieldAlert },
  unread: { tone: 'bad', word: 'not compared', Icon: ShieldAlert },
} as const satisfies Record<SourcePin['state'], { tone: Tone; word: string; Icon: typeof ShieldCheck }>

/** On a source's page: whether its tools are as they were approved, and the approval. */
export function PinSection({ source }: { readonly source: string }) {
  const backend = useBackend()
  const { data: pins, error } = usePins()
  const [isOpen, setOpen] = useState(false)
  const pin = pins?.sources.find(each => each.source === source)
  if (!backend.has('GET /api/pins')) return null
  if (pins === undefined || pin === undefined) return <ErrorNote error={error} />
  const { tone, word, Icon } = stateLooks[pin.state]
  return (
    <section
      className={join('stack', styles.section)}
      aria-label="Approval"
      data-tone={tone}
      data-testid="pin"
    >
      <div className={styles.sectionHead}>
        <Icon size={16} aria-hidden className={styles.icon} />
        <h2>Approval</h2>
        <span role="status">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <PinActions pin={pin} hasProblem={pins.problem !== undefined} onRemove={() => setOpen(true)} />
      </div>
      {pins.problem ? <ErrorNote shape={pins.problem} /> : <PinState pin={pin} file={pins.file} />}
      {isOpen && <RemoveDialog pins={pins} source={source} onClose={() => setOpen(false)} />}
    </section>
  )
}

/** The state in words; the reason of each stopped tool. */
function PinState({ pin, file }: { readonly pin: SourcePin; readonly file: string }) {
  const { state, counts, blocked, reason } = pin
  const approval =
    pin.approvedAt && ` Approved ${formatApproval({ approvedAt: pin.approvedAt, by: pin.by })}.`
  const text: Readonly<Record<SourcePin['state'], ReactNode>> = {
    unpinned:
      'Calls are not checked. An approval writes what the source lists now to the lock file; a call of what differs later is stopped.',
    same: (
      <>
        Everything is as it was approved in <code>{file}</code>.{approval}
      </>
    ),
    differs: `Not as approved: ${describeCounts(counts)}. The policy lets these calls go on.`,
    blocked:
      pin.approvedAt === undefined
        ? `Calls of ${plural(blocked.length, 'item')} stop until you approve the source.`
        : Object.keys(counts).length === 0
          ? `Nothing differs from what was approved, but calls of ${plural(blocked.length, 'item')} stop.`
          : `Not as approved: ${describeCounts(counts)}. Calls of ${plural(blocked.length, 'item')} stop until you review ${blocked.length === 1 ? 'it' : 'them'}.`,
    unread: 'It could not be compared with what was approved, so every call of it is refused.',
  }
  return (
    <>
      <p>{text[state]}</p>
      {reason !== undefined && <p className="notice">{reason}</p>}
      {blocked.length > 0 && state !== 'unread' && (
        <ul className={join('small', styles.reasons)} aria-label="Stopped calls">
          {blocked.slice(0, maxBlocked).map(entry => (
            <li key={entry.ref}>
              <Link to="/" search={{ tool: entry.ref }} className="mono">
                <bdi>{visibleName(entry.ref)}</bdi>
              </Link>
              <span className="muted">{entry.reason}</span>
            </li>
          ))}
          {blocked.length > maxBlocked && (
            <li className="muted">{formatCount(blocked.length - maxBlocked)} more</li>
          )}
        </ul>
      )}
    </>
  )
}

interface PinActionsProps {
  readonly pin: SourcePin
  readonly hasProblem: boolean
  readonly onRemove: () => void
}

function PinActions({ pin, hasProblem, onRemove }: PinActionsProps) {
  const { source, state } = pin
  const backend = useBackend()
  const refused = useRefusal('PUT /api/sources/{name}/pin')
  const isPinned = pin.approvedAt !== undefined || state === 'unread'
  const differs = isPinned && (state === 'differs' || state === 'blocked')
  if (hasProblem || !backend.has('PUT /api/sources/{name}/pin')) return null
  return (
    <div className={styles.sectionActs}>
      {differs && (
        <Link
          to="/review"
          search={{ source }}
          className={join(buttonStyles.button, state === 'blocked' && buttonStyles.primary)}
        >
          Review changes
        </Link>
      )}
      {!isPinned && (
        // Nothing is approved that was not shown.
        <Link to="/review" search={{ source }} className={buttonStyles.button}>
          Review and approve
        </Link>
      )}
      {isPinned && (
        <Button look="quiet" onClick={onRemove} refused={refused}>
          Remove approval…
        </Button>
      )}
    </div>
  )
}

interface PinDialogProps {
  readonly pins: PinList
  readonly source: string
  readonly onClose: () => void
}

/** A new approval covers what the source lists then, so what was approved is lost. */
function RemoveDialog({ pins, source, onClose }: PinDialogProps) {
  const removing = useApprovalRemoval(source)
  return (
    <Dialog open onOpenChange={onClose} title={`Remove the approval of ${source}?`}>
      <p>
        Its calls are no longer checked. <code>{pins.file}</code> loses what was approved.
      </p>
      <ErrorNote error={removing.error} />
      <DialogActions>
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
        <Button
          look="danger"
          disabled={removing.isPending}
          onClick={() => removing.mutate(undefined, { onSuccess: onClose })}
        >
          Remove approval
        </Button>
      </DialogActions>
    </Dialog>
  )
}
