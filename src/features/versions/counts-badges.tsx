import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { SeverityCounts } from '../../../core/snapshot/snapshot.ts'
import { Badge } from '../../ui/badge.tsx'
import { plural } from '../../ui/format.ts'

/** How a version differs from the one before it, by icon, word and colour. */
export function CountsBadges({ counts }: { readonly counts: SeverityCounts }) {
  const { breaking, dangerous, warning, info } = counts
  if (breaking + dangerous + warning + info === 0)
    return (
      <Badge>
        <Check size={11} strokeWidth={2.5} aria-hidden /> same
      </Badge>
    )
  return (
    <>
      {breaking > 0 && (
        <Badge tone="bad">
          <X size={11} strokeWidth={2.5} aria-hidden /> {breaking} breaking
        </Badge>
      )}
      {dangerous > 0 && (
        <Badge tone="warn">
          <TriangleAlert size={11} strokeWidth={2.5} aria-hidden /> {dangerous} dangerous
        </Badge>
      )}
      {warning > 0 && (
        <Badge tone="warn">
          <CircleAlert size={11} strokeWidth={2.5} aria-hidden /> {plural(warning, 'warning')}
        </Badge>
      )}
      {info > 0 && (
        <Badge>
          <Info size={11} strokeWidth={2.5} aria-hidden /> {info} harmless
        </Badge>
      )}
    </>
  )
}
