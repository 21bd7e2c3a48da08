import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import type { VersionList } from '../../../core/snapshot/snapshot.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { effectivePick, type Pick } from './pick.ts'
import styles from './timeline.module.css'
import { VersionRow } from './version-row.tsx'

interface TimelineProps {
  /** What the versions are of: names the table. */
  readonly label: string
  readonly source: string
  readonly list: VersionList
  /** Shown alone in the diff. */
  readonly tool?: string
  readonly onMore: () => void
}

/** Versions, newest first; any two can be picked and compared. */
export function Timeline({ label, source, list, tool, onMore }: TimelineProps) {
  const [picked, setPicked] = useState<Pick>({ a: undefined, b: undefined })
  const { versions, more, kept } = list
  const { a, b } = effectivePick(versions, picked)
  const different = a !== undefined && b !== undefined && a !== b
  return (
    <div className={styles.timeline} data-testid="timeline">
      <div className={styles.actions}>
        {different ? (
          <Link
            to="/diff"
            search={{ a, b, ...(tool === undefined ? {} : { tool }) }}
            className={join(buttonStyles.button, buttonStyles.primary)}
          >
            <GitCompareArrows size={14} aria-hidden /> Compare the two
          </Link>
        ) : (
          <p className="muted">
            {versions.length < 2
              ? 'There is one version: nothing to compare yet.'
              : 'Pick two different versions.'}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
      <section className={styles.scroll} aria-label={label} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col">Version</th>
              <th scope="col">Changes</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(version => (
              <VersionRow
                key={version.reference}
                source={source}
                version={version}
                canLabel={kept}
                isBefore={version.reference === a}
                isAfter={version.reference === b}
                onBefore={() => setPicked({ a: version.reference, b })}
                onAfter={() => setPicked({ a, b: version.reference })}
              />
            ))}
          </tbody>
        </table>
      </section>
      {more && (
        <div>
          <Button onClick={onMore}>Show older ones</Button>
        </div>
      )}
      {!kept && (
        <p className="muted">There is no memory at the moment: these versions go when the program ends.</p>
      )}
    </div>
  )
}
