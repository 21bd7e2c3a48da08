import { CircleAlert, CircleCheck, CircleDashed, CircleHelp } from 'lucide-react'
import type { Validation, ValidationVerdict } from '../../../core/call/invocation.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { formatCount } from '../../ui/format.ts'

const looks = {
  valid: { tone: 'ok', Icon: CircleCheck },
  invalid: { tone: 'bad', Icon: CircleAlert },
  'no schema': { tone: 'plain', Icon: CircleDashed },
  unchecked: { tone: 'warn', Icon: CircleHelp },
} as const satisfies Record<ValidationVerdict, { tone: Tone; Icon: typeof CircleCheck }>

/** The verdict of the output schema on what came back. */
export function Verdict({ validation }: { readonly validation: Validation }) {
  const { verdict, issues, more = 0, note } = validation
  const { tone, Icon } = looks[verdict]
  const count = issues.length + more
  return (
    <Badge tone={tone} {...(note !== undefined && { title: note })}>
      <Icon size={12} aria-hidden />
      {verdict !== 'no schema' && <span>output</span>}
      {/* The handle stands for a judgement; unchecked is none. */}
      <span data-testid={verdict === 'unchecked' ? undefined : 'result-verdict'}>{verdict}</span>
      {count > 0 && <span>· {formatCount(count)}</span>}
    </Badge>
  )
}
