import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { type CallEnd, describeEnd, type InvocationOutcome } from '../../../core/tool/outcome.ts'
import { Badge } from '../../ui/badge.tsx'

const icons: Partial<Record<InvocationOutcome, LucideIcon>> = {
  ok: CircleCheck,
  unfinished: CircleDashed,
  cancelled: CircleSlash,
  timeout: Clock,
}

/** The outcome of a call, as an icon with an accessible name. */
export function OutcomeIcon({ end }: { readonly end: CallEnd }) {
  const { text, tone } = describeEnd(end)
  const Icon = (end.outcome === 'ok' && tone === 'warn' ? TriangleAlert : icons[end.outcome]) ?? CircleAlert
  return (
    <span className="tone" data-tone={tone}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

export function OutcomeBadge({ end }: { readonly end: CallEnd }) {
  const { text, tone } = describeEnd(end)
  return <Badge tone={tone}>{text}</Badge>
}
