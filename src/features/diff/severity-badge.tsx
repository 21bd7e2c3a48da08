import { Check, CircleAlert, CircleHelp, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import type { Change } from '../../../core/diff/change.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { isProved, isUndecided } from './change-kind.ts'

interface Look {
  readonly text: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

const undecided: Look = { text: 'undecided', tone: 'warn', icon: CircleHelp }

const invalid: Look = { text: 'no valid schema', tone: 'warn', icon: CircleHelp }

function isInvalid({ strict, declared }: Change): boolean {
  return strict === 'invalid' || declared === 'invalid'
}

function looksOf(change: Change): readonly Look[] {
  const more = isUndecided(change) ? [undecided] : isInvalid(change) ? [invalid] : []
  switch (change.severity) {
    case 'breaking':
      return [{ text: 'breaking', tone: 'bad', icon: X }, ...more]
    case 'dangerous':
      return [{ text: 'dangerous', tone: 'warn', icon: TriangleAlert }, ...more]
    case 'warning':
      return [
        { text: change.direction === 'text' ? 'text' : 'warning', tone: 'warn', icon: CircleAlert },
        ...more,
      ]
    case 'info':
      if (more.length > 0) return more
      if (change.tools !== undefined) return [{ text: 'generator', tone: 'plain', icon: Info }]
      if (isProved(change)) return [{ text: 'compatible, proved', tone: 'ok', icon: Check }]
      return [{ text: 'info', tone: 'plain', icon: Info }]
  }
}

/** How bad a change is, by icon, word and colour. */
export function SeverityBadge({ change }: { readonly change: Change }) {
  return looksOf(change).map(({ text, tone, icon: Icon }) => (
    <Badge key={text} tone={tone}>
      <Icon size={11} strokeWidth={2.5} aria-hidden /> {text}
    </Badge>
  ))
}
