import {
  ArrowRightLeft,
  Check,
  CircleHelp,
  Expand,
  type LucideIcon,
  Minus,
  Plus,
  Server,
  ShieldAlert,
  TextQuote,
  X,
} from 'lucide-react'
import type { PinList, PinReview, ReviewItem } from '../../../core/api/pins.ts'
import type { PinAction, PinClass, PinKind } from '../../../core/pin/pin.ts'
import { findCues } from '../../../core/text/cues.ts'
import type { Tone } from '../../ui/badge.tsx'
import { formatTime } from '../../ui/format.ts'

interface ClassLook {
  readonly label: string
  readonly tone: Tone
  readonly icon: LucideIcon
  /** Explains the class, for a tooltip. */
  readonly about: string
}

export const classLooks: Readonly<Record<PinClass, ClassLook>> = {
  'other-server': {
    label: 'another server',
    tone: 'bad',
    icon: Server,
    about: 'Another command or address answers under the approved name',
  },
  'lowered-safety': {
    label: 'lowered safety',
    tone: 'bad',
    icon: ShieldAlert,
    about: 'No longer read-only, or now destructive, open-world or not idempotent',
  },
  'wider-input': {
    label: 'wider input',
    tone: 'warn',
    icon: Expand,
    about: 'It takes data that was not approved',
  },
  'changed-text': {
    label: 'changed text',
    tone: 'warn',
    icon: TextQuote,
    about: 'Words that a model or a user reads have changed, or what they are about',
  },
  undecided: {
    label: 'undecided',
    tone: 'warn',
    icon: CircleHelp,
    about: 'A part of it was rewritten, and only reading it tells what that means',
  },
  new: { label: 'new', tone: 'warn', icon: Plus, about: 'It was not approved' },
  breaking: {
    label: 'breaking',
    tone: 'bad',
    icon: X,
    about: 'Calls that were valid are refused, or results have another shape',
  },
  removed: { label: 'removed', tone: 'plain', icon: Minus, about: 'It was approved and is no longer listed' },
  compatible: {
    label: 'compatible, proved',
    tone: 'ok',
    icon: Check,
    about: 'Proved to break no caller',
  },
  same: {
    label: 'same content',
    tone: 'ok',
    icon: ArrowRightLeft,
    about: 'Renamed with the same content, reordered, or written differently with the same meaning',
  },
}

/** The effect of a difference on calls, by the strictest action of its classes. */
export const actionLooks: Readonly<Record<PinAction, { readonly text: string; readonly tone: Tone }>> = {
  allow: { text: 'calls go on', tone: 'plain' },
  ask: { text: 'needs review', tone: 'warn' },
  block: { text: 'blocked', tone: 'bad' },
}

/** Returns the noun of a kind, for a badge; absent for a tool, which needs none. */
export const kindNoun = (kind: PinKind) =>
  kind === 'tool' || kind === 'server' ? undefined : kind === 'template' ? 'resource template' : kind

/** Returns the counts of a source by class as a sentence's part: `2 changed text, 1 new`. */
export function describeCounts(counts: PinList['sources'][number]['counts']): string {
  return Object.entries(classLooks)
    .flatMap(([name, { label }]) => {
      const count = counts[name as PinClass] ?? 0
      return count > 0 ? [`${count} ${label}`] : []
    })
    .join(', ')
}

/** Identifies an item as it was shown. One that cannot be approved has no hash. */
export const itemKey = ({ hash, kind, name, refusal }: ReviewItem): string =>
  hash ?? `${kind} ${name} ${refusal}`

/** Returns the items of `next` that were not shown. */
export function findUnseen(shown: PinReview, next: PinReview): readonly ReviewItem[] {
  const seen = new Set(shown.items.map(itemKey))
  return next.items.filter(item => !seen.has(itemKey(item)))
}

/** Returns `21 Nov 14:03:22 by ada@example.com`. */
export function formatApproval({
  approvedAt,
  by,
}: {
  readonly approvedAt: string
  readonly by?: string | undefined
}): string {
  return `${formatTime(approvedAt, new Date())}${by === undefined ? '' : ` by ${by}`}`
}

/** Characters of a definition that are searched for cues. */
const maxSearched = 100_000

/** Returns phrases in any text of a definition that address a model; only the dangerous ones, as all of it is new. */
export function findTextCues(name: string, definition: Readonly<Record<string, unknown>>): readonly string[] {
  const text = (JSON.stringify(definition, null, 2) ?? '').slice(0, maxSearched)
  return findCues([{ kind: 'added', text }], new Set(), name)
    .filter(cue => cue.isDangerous)
    .map(cue => cue.text)
}
