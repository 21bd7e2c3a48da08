import { Check, CircleAlert, GitCommitHorizontal, Info, TriangleAlert, X } from 'lucide-react'
import type { SeverityCounts, Version } from '../../../core/api/versions.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatTime, plural } from '../../ui/format.ts'
import styles from './timeline.module.css'
import { VersionLabels } from './version-labels.tsx'

interface VersionRowProps {
  readonly source: string
  readonly version: Version
  /** Labels can be set and taken away. */
  readonly canLabel: boolean
  readonly isBefore: boolean
  readonly isAfter: boolean
  readonly onBefore: () => void
  readonly onAfter: () => void
}

export function VersionRow(props: VersionRowProps) {
  const { source, version, canLabel, isBefore, isAfter, onBefore, onAfter } = props
  const { name, kind, time, touch, counts, subject, number } = version
  return (
    <tr data-testid="version">
      <Picked name="before" label={`Compare from ${name}`} checked={isBefore} onPick={onBefore} />
      <Picked name="after" label={`Compare to ${name}`} checked={isAfter} onPick={onAfter} />
      <td>
        <div className={styles.version}>
          {kind === 'git' && <GitCommitHorizontal size={14} aria-label="Commit" className={styles.commit} />}
          <code className={styles.name}>{name}</code>
          <time dateTime={time} className={styles.time}>
            {formatTime(time, new Date())}
          </time>
          {version.current && <Badge tone="info">open now</Badge>}
          {kind === 'snapshot' && number !== undefined && (
            <VersionLabels source={source} number={number} labels={version.labels} editable={canLabel} />
          )}
        </div>
        <div className={styles.facts}>{subject ?? factsOf(version)}</div>
      </td>
      <td>
        <div className={styles.badges}>
          {touch === 'added' && <Badge tone="ok">added</Badge>}
          {touch === 'removed' && <Badge tone="bad">removed</Badge>}
          {counts && touch === undefined && <CountsBadges counts={counts} />}
          {counts && touch === 'changed' && <CountsBadges counts={counts} />}
          {!counts && touch === 'changed' && <Badge>changed</Badge>}
        </div>
      </td>
    </tr>
  )
}

function Picked(props: {
  readonly name: string
  readonly label: string
  readonly checked: boolean
  readonly onPick: () => void
}) {
  return (
    <td className={styles.pick}>
      {/* The label is the whole target: 24 px and more. */}
      <label className={styles.radio}>
        <input type="radio" checked={props.checked} onChange={props.onPick} aria-label={props.label} />
      </label>
    </td>
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
