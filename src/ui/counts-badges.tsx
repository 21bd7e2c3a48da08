import { Check } from 'lucide-react'
import type { Severity } from '../../core/diff/change.ts'
import { severities } from '../../core/diff/severity.ts'
import { Badge } from './badge.tsx'
import { plural } from './format.ts'
import { severityLooks } from './severity-looks.ts'

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
