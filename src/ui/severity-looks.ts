import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { Severity } from '../../core/diff/change.ts'

/** The colour and the icon of each severity. */
export const severityLooks = {
  breaking: { tone: 'bad', icon: X },
  dangerous: { tone: 'warn', icon: TriangleAlert },
  warning: { tone: 'warn', icon: CircleAlert },
  info: { tone: 'plain', icon: Info },
} as const satisfies Record<Severity, object>
