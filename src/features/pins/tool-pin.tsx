import { Link } from '@tanstack/react-router'
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { PinList, ReviewItem } from '../../../core/api/pins.ts'
import { usePinReview, usePins } from '../../api/pins.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { formatApproval } from './pin-words.ts'
import styles from './pins.module.css'

export type PinnedTool = Pick<ToolDetail, 'ref' | 'source'>

/**
 * The state of a tool against what was approved. `unused`: no source is approved, so nothing is said. `review`: its calls
 * ask first. `allowed`: it differs, and the policy lets its calls go on.
 */
type ToolState =
  | { readonly state: 'unused' | 'unpinned' }
  | { readonly state: 'approved' | 'allowed'; readonly approval: string }
  | { readonly state: 'review' | 'blocked'; readonly reason: string; readonly isUnread?: true }

/** Returns the items of a review that stop a call of a tool: its own, and that of the server. */
export const findItems = (items: readonly ReviewItem[], { ref }: PinnedTool) =>
  items.filter(item => item.ref === ref || (item.kind === 'server' && item.action !== 'allow'))

function useToolState(tool: PinnedTool): ToolState {
  const { data: pins } = usePins()
  const state = pins?.sources.find(each => each.source === tool.source)?.state
  const { data: review } = usePinReview(tool.source, state === 'differs' || state === 'blocked')
  return pins === undefined ? { state: 'unused' } : decideToolState(tool, pins, review?.items ?? [])
}

/** @param items the review of the tool's source, if it differs */
export function decideToolState(tool: PinnedTool, pins: PinList, items: readonly ReviewItem[]): ToolState {
  const pin = pins.sources.find(each => each.source === tool.source)
  if (pin === undefined) return { state: 'unused' }
  if (pin.state === 'unread') {
    const reason = pins.problem ? `${pins.problem.title}.` : (pin.reason ?? 'The lock file cannot be read.')
    return { state: 'blocked', reason, isUnread: true }
  }
  const own = findItems(items, tool)
  const blocked = pin.blocked.find(each => each.ref === tool.ref)
  if (blocked !== undefined) {
    const ofClass = pins.policy[blocked.class ?? 'unpinned'] === 'block'
    const isBlocked = own.length === 0 ? ofClass : own.some(({ action }) => action === 'block')
    return { state: isBlocked ? 'blocked' : 'review', reason: blocked.reason }
  }
  if (pin.state === 'unpinned') {
    const isUsed = pins.unused.length > 0 || pins.sources.some(each => each.state !== 'unpinned')
    return { state: isUsed ? 'unpinned' : 'unused' }
  }
  const approval =
    pin.approvedAt === undefined ? '' : formatApproval({ approvedAt: pin.approvedAt, by: pin.by })
  return { state: own.length > 0 ? 'allowed' : 'approved', approval }
}

const stateLooks = {
  unpinned: { tone: 'plain', word: 'not approved', icon: ShieldQuestion },
  approved: { tone: 'ok', word: 'approved', icon: ShieldCheck },
  allowed: { tone: 'plain', word: 'changed, allowed', icon: ShieldCheck },
  review: { tone: 'warn', word: 'needs review', icon: ShieldAlert },
  blocked: { tone: 'bad', word: 'blocked', icon: ShieldAlert },
} as const satisfies Record<
  Exclude<ToolState['state'], 'unused'>,
  { tone: Tone; word: string; icon: typeof ShieldCheck }
>

/** In the head of a tool: whether it is as it was approved. Empty if no source is approved. */
export function ToolPinBadge({ tool }: { readonly tool: PinnedTool }) {
  const found = useToolState(tool)
  if (found.state === 'unused') return null
  const { tone, word, icon } = stateLooks[found.state]
  const title =
    'reason' in found ? found.reason : 'approval' in found ? `Approved ${found.approval}` : undefined
  return (
    <span data-testid="tool-pin">
      <Badge tone={tone} icon={icon} title={title}>
        {word}
      </Badge>
    </span>
  )
}

/** Above the input of a tool: why its calls stop, with a link to the review. Empty while they go on. */
export function ToolPinNote({ tool }: { readonly tool: PinnedTool }) {
  const found = useToolState(tool)
  const isStopped = found.state === 'review' || found.state === 'blocked'
  return (
    // Always rendered, so that screen readers announce its text.
    <div
      role="status"
      data-testid="tool-pin-note"
      className={isStopped ? styles.note : undefined}
      data-tone={found.state === 'blocked' ? 'bad' : 'warn'}
    >
      {isStopped && (
        <>
          <ShieldAlert size={14} aria-hidden className={styles.icon} />
          <span className={styles.reason}>
            {found.reason}{' '}
            {!found.isUnread && (found.state === 'blocked' ? 'Its calls are refused.' : 'A call asks first.')}
          </span>
          {found.isUnread ? (
            <Link to="/" search={{ about: tool.source }}>
              What to do
            </Link>
          ) : (
            <Link to="/review" search={{ source: tool.source, tool: tool.ref }}>
              Review the change
            </Link>
          )}
        </>
      )}
    </div>
  )
}
