import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { Severity } from '../../core/diff/change.ts'
import { severities } from '../../core/diff/severity.ts'
import { Badge } from './badge.tsx'
import { plural } from './format.ts'

/** The colour and the icon of each severity. */
export const severityLooks = {
  breaking: { tone: 'bad', icon: X },
  dangerous: { tone: 'warn', icon: TriangleAlert },
  warning: { tone: 'warn', icon: CircleAlert },
  info: { tone: 'plain', icon: Info },
} as const satisfies Record<Severity, object>

const severityTexts: Record<Severity, (count: number) => string> = {
  breaking: count => `${count} breaking`,
  dangerous: count => `${count} dangerous`,
  warning: count => plural(count, 'warning'),
  info: count => `${count} info`,
}

/** The number of changes of each severity, by icon, word and colour. */
export function CountsBadges({ counts }: { readonly counts: Readonly<Record<Severity, number>> }) {
  const found = severities.filter(severity => counts[severity] > 0)
  if (found.length === 0) return <Badge icon={Check}>0 changes</Badge>
  return found.map(severity => (
    <Badge key={severity} {...severityLooks[severity]}>
      {severityTexts[severity](counts[severity])}
    </Badge>
  ))
}
