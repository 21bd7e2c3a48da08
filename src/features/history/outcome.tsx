import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, Clock, type LucideIcon } from 'lucide-react'
import type { InvocationOutcome } from '../../../core/history/filter-values.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { failureLabels } from '../../ui/format.ts'

/** The words for each ending, shared by the list, the filters and the chart. */
export const outcomeWords: Readonly<Record<InvocationOutcome, string>> = {
  ok: 'done',
  unfinished: 'unfinished',
  ...failureLabels,
}

export function toneOf(outcome: InvocationOutcome): Tone {
  if (outcome === 'ok') return 'ok'
  return outcome === 'cancelled' || outcome === 'unfinished' ? 'warn' : 'bad'
}

const icons: Partial<Record<InvocationOutcome, LucideIcon>> = {
  ok: CircleCheck,
  unfinished: CircleDashed,
  cancelled: CircleSlash,
  timeout: Clock,
}

/** How a call ended, as an icon with an accessible name. */
export function OutcomeIcon({ outcome }: { readonly outcome: InvocationOutcome }) {
  const Icon = icons[outcome] ?? CircleAlert
  return (
    <span className="tone" data-tone={toneOf(outcome)}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{outcomeWords[outcome]}</span>
    </span>
  )
}

export function OutcomeBadge({ outcome }: { readonly outcome: InvocationOutcome }) {
  return <Badge tone={toneOf(outcome)}>{outcomeWords[outcome]}</Badge>
}
