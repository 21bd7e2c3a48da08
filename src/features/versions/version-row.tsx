import { GitCommitHorizontal } from 'lucide-react'
import type { Version } from '../../../core/api/versions.ts'
import { Badge } from '../../ui/badge.tsx'
import { CountsBadges } from '../../ui/counts-badges.tsx'
import { formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './timeline.module.css'
import { VersionLabels } from './version-labels.tsx'

/** The two versions that are to be compared, by their references. */
export interface ComparedVersions {
  readonly a: string | undefined
  readonly b: string | undefined
}

interface VersionRowProps {
  readonly source: string
  readonly version: Version
  /** Labels can be set and taken away. */
  readonly canLabel: boolean
  readonly compared: ComparedVersions
  readonly onCompare: (compared: ComparedVersions) => void
}

export function VersionRow({ source, version, canLabel, compared, onCompare }: VersionRowProps) {
  const { reference, name, kind, time, touch, counts, subject, number } = version
  return (
    <tr data-testid="version">
      {(['a', 'b'] as const).map(side => (
        <td key={side} className={styles.pick}>
          {/* The label is the whole target: 24 px and more. */}
          <label className={styles.radio}>
            <input
              type="radio"
              aria-label={`Compare ${side === 'a' ? 'from' : 'to'} ${name}`}
              checked={compared[side] === reference}
              onChange={() => onCompare({ ...compared, [side]: reference })}
            />
          </label>
        </td>
      ))}
      <td>
        <div className={join('row wrap', styles.version)}>
          {kind === 'git' && <GitCommitHorizontal size={14} aria-label="Commit" className="muted" />}
          <code className={styles.name}>{name}</code>
          <time dateTime={time} className="muted">
            {formatTime(time, new Date())}
          </time>
          {version.current && <Badge tone="info">open now</Badge>}
          {kind === 'snapshot' && number !== undefined && (
            <VersionLabels source={source} number={number} labels={version.labels} editable={canLabel} />
          )}
        </div>
        <div className="note">{subject ?? factsOf(version)}</div>
      </td>
      <td>
        <div className={join('row wrap', styles.badges)}>
          {touch === 'added' && <Badge tone="ok">added</Badge>}
          {touch === 'removed' && <Badge tone="bad">removed</Badge>}
          {counts && (touch === undefined || touch === 'changed') && <CountsBadges counts={counts} />}
          {!counts && touch === 'changed' && <Badge>changed</Badge>}
        </div>
      </td>
    </tr>
  )
}

/** `file changed · 16 tools · version 2.1 · git 1f3a2b4c`. */
function factsOf({ cause, toolCount, version, git }: Version): string {
  return [
    cause,
    toolCount !== undefined && plural(toolCount, 'tool'),
    version && `version ${version}`,
    git && `git ${git.slice(0, 8)}${git.endsWith('+') ? ', with changes' : ''}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
