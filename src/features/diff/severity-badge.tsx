import { Check, CircleHelp } from 'lucide-react'
import type { Change } from '../../../core/diff/change.ts'
import { Badge } from '../../ui/badge.tsx'
import { severityLooks } from '../../ui/severity-looks.ts'
import { texts } from './texts.ts'

/** The severity of a change as icon, word and colour. */
export function SeverityBadge({ change: { severity, strict, declared } }: { readonly change: Change }) {
  const isCompatible = severity === 'info' && (strict === 'proved' || declared === 'proved')
  const isUndecided = strict === 'unknown' || declared === 'unknown'
  return (
    <>
      {isCompatible ? (
        <Badge tone="ok" icon={Check}>
          {texts.compatible}
        </Badge>
      ) : (
        <Badge {...severityLooks[severity]}>{severity}</Badge>
      )}
      {isUndecided && (
        <Badge tone="warn" icon={CircleHelp}>
          {texts.undecided}
        </Badge>
      )}
    </>
  )
}
