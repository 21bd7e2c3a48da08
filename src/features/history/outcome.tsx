import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import type { InvocationSummary } from '../../../core/api/history.ts'
import type { InvocationOutcome } from '../../../core/api/history-filters.ts'
import { outputWords } from '../../../core/tool/output-words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { failureLabels } from '../../ui/format.ts'
import { texts } from './texts.ts'

/** The words for each outcome, shared by the list, the filters and the chart. */
export const outcomeWords: Readonly<Record<InvocationOutcome, string>> = {
  ok: 'done',
  unfinished: texts.unfinished,
  ...failureLabels,
}

/** The known facts about a call's end. */
export type CallEnd = Pick<InvocationSummary, 'outcome' | 'verdict'>

/** Returns whether a call succeeded but its output breaks its schema. */
function breaksSchema({ outcome, verdict }: CallEnd): boolean {
  return outcome === 'ok' && verdict === 'invalid'
}

export function endWords(end: CallEnd): string {
  return breaksSchema(end) ? outputWords('invalid') : outcomeWords[end.outcome]
}

export function pickOutcomeTone(end: CallEnd): Tone {
  if (end.outcome === 'ok') return breaksSchema(end) ? 'warn' : 'ok'
  return end.outcome === 'cancelled' || end.outcome === 'unfinished' ? 'warn' : 'bad'
}

const icons: Partial<Record<InvocationOutcome, LucideIcon>> = {
  ok: CircleCheck,
  unfinished: CircleDashed,
  cancelled: CircleSlash,
  timeout: Clock,
}

/** The outcome of a call, as an icon with an accessible name. */
export function OutcomeIcon({ end }: { readonly end: CallEnd }) {
  const Icon = (breaksSchema(end) ? TriangleAlert : icons[end.outcome]) ?? CircleAlert
  return (
    <span className="tone" data-tone={pickOutcomeTone(end)}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{endWords(end)}</span>
    </span>
  )
}

export function OutcomeBadge({ end }: { readonly end: CallEnd }) {
  return <Badge tone={pickOutcomeTone(end)}>{endWords(end)}</Badge>
}
