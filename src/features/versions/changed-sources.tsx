import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { RecentChange } from '../../../core/api/versions.ts'
import buttonStyles from '../../ui/button.module.css'
import { IconButton } from '../../ui/button.tsx'
import { formatAge } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import { CountsBadges } from '../../ui/severity-badges.tsx'
import { useNow } from '../../ui/use-now.ts'
import { markLooked } from './looked-versions.ts'

/** Sources that changed since the user saw them last, each with a link to the diff. */
export function ChangedSources({ changes }: { readonly changes: readonly RecentChange[] }) {
  const now = new Date(useNow())
  return (
    <OverviewList title="Changed since you last looked">
      {changes.map(({ source, from, to, time, counts }) => (
        <OverviewRow key={source}>
          <CountsBadges counts={counts} />
          <span className={overview.name}>{source}</span>
          <span className="truncate muted grow">{`@${readVersionNumber(from)} → @${readVersionNumber(to)} · ${formatAge(time, now)}`}</span>
          <Link
            to="/diff"
            search={{ a: from, b: to }}
            className={join(buttonStyles.button, buttonStyles.quiet)}
            aria-label={`Diff of ${source}`}
          >
            Diff
          </Link>
          <IconButton icon={Check} label={`Mark ${to} as seen`} onClick={() => markLooked(to)} />
        </OverviewRow>
      ))}
    </OverviewList>
  )
}

const readVersionNumber = (reference: string) => reference.slice(reference.lastIndexOf('@') + 1)
