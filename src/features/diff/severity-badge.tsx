import { Check, CircleHelp, type LucideIcon } from 'lucide-react'
import type { Change } from '../../../core/diff/change.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { severityLooks } from '../../ui/severity-looks.ts'
import { isProved, isUndecided } from './change-kind.ts'

interface Look {
  readonly text: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

function verdictOf(change: Change): string | undefined {
  if (isUndecided(change)) return 'undecided'
  return change.strict === 'invalid' || change.declared === 'invalid' ? 'no valid schema' : undefined
}

function severityText({ severity, direction, tools }: Change): string {
  if (severity === 'warning' && direction === 'text') return 'text'
  return severity === 'info' && tools !== undefined ? 'generator' : severity
}

function looksOf(change: Change): readonly Look[] {
  const text = verdictOf(change)
  const verdict: Look[] = text === undefined ? [] : [{ text, tone: 'warn', icon: CircleHelp }]
  if (change.severity === 'info') {
    if (verdict.length > 0) return verdict
    if (change.tools === undefined && isProved(change))
      return [{ text: 'compatible, proved', tone: 'ok', icon: Check }]
  }
  return [{ text: severityText(change), ...severityLooks[change.severity] }, ...verdict]
}

/** How bad a change is, by icon, word and colour. */
export function SeverityBadge({ change }: { readonly change: Change }) {
  return looksOf(change).map(({ text, tone, icon }) => (
    <Badge key={text} tone={tone} icon={icon}>
      {text}
    </Badge>
  ))
}
