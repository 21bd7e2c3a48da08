import { CircleAlert, CircleCheck, CircleSlash, EqualNot, type LucideIcon } from 'lucide-react'
import type { ShownPair } from '../../../core/api/compare.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

type Status = ShownPair['status']

const looks: Readonly<Record<Status, { tone: Tone; icon: LucideIcon; text: string }>> = {
  same: { tone: 'ok', icon: CircleCheck, text: 'same' },
  different: { tone: 'bad', icon: EqualNot, text: 'different' },
  failed: { tone: 'bad', icon: CircleAlert, text: 'failed' },
  skipped: { tone: 'plain', icon: CircleSlash, text: 'skipped' },
}

/** The state of a pair in a word. */
export function PairState({ status }: { readonly status: Status }) {
  const { tone, icon, text } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  )
}

/** `1 different · 3 same`: those that there are. */
export function countsText(pairs: readonly ShownPair[]): string {
  const counts = (Object.keys(looks) as Status[]).map(
    status => [pairs.filter(pair => pair.status === status).length, looks[status].text] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join(' · ')
}
