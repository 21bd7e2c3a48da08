import type { ReactNode } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import type { Change } from '../../../core/diff/change.ts'
import { expiredIgnores, type IgnoreEntry, isExpired } from '../../../core/diff/team-rules.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import styles from './followed-rules.module.css'
import { SeverityBadge } from './severity-badge.tsx'
import { VisibleText } from './visible-text.tsx'

/** Which rules the report follows, and what they hid; nothing where toolscope.json names none. */
export function FollowedRules({ answer: { rules: files, report } }: { readonly answer: DiffAnswer }) {
  const { rules, ignore } = files
  if (rules === undefined && ignore === undefined) return null
  const { ignored, unusedIgnores, switchedOff } = report
  const expired = ignore === undefined ? [] : expiredIgnores(ignore, unusedIgnores)
  const unused = unusedIgnores.flatMap(
    of => ignore?.entries.find(({ fingerprint }) => fingerprint === of) ?? [],
  )
  const offCount = Object.values(switchedOff).reduce((sum, count) => sum + count, 0)
  const line = [
    rules && `Rules: ${rules.file}`,
    offCount > 0 && `${formatCount(offCount)} switched off`,
    ignore && `ignored by ${ignore.file}: ${formatCount(ignored.length)}`,
    expired.length > 0 && `${formatCount(expired.length)} expired`,
    unused.length > 0 && `${formatCount(unused.length)} unused`,
  ]
  const entryOf = ({ fingerprint }: Change) =>
    ignore?.entries.find(entry => entry.fingerprint === fingerprint && !isExpired(entry, ignore))
  return (
    <details className={styles.rules} data-testid="diff-rules">
      <summary>{capitalize(line.filter(Boolean).join(' · '))}</summary>
      <div className={styles.body}>
        <p className="muted">
          toolscope.json names these files. The command line, notices and the list of versions follow them
          too.
        </p>
        <Entries title="Ignored changes">
          {ignored.map(change => (
            <IgnoredChange key={change.fingerprint} change={change} entry={entryOf(change)} />
          ))}
        </Entries>
        <Entries title="Expired: these changes count again">
          {expired.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} note={`ended on ${entry.expires}`} />
            </li>
          ))}
        </Entries>
        <Entries title="Unused: these entries match no change of this comparison">
          {unused.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} />
            </li>
          ))}
        </Entries>
        <Entries title="Severities that the rules set">
          {Object.entries(rules?.severities ?? {}).map(([rule, severity]) => (
            <li key={rule} className="row wrap">
              <code>{rule}</code>
              <span className="muted">
                {severity === 'off'
                  ? `off · ${plural(switchedOff[rule] ?? 0, 'change')} of this comparison`
                  : severity}
              </span>
            </li>
          ))}
        </Entries>
      </div>
    </details>
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A list under its title; nothing where it is empty. */
function Entries({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

interface IgnoredChangeProps {
  readonly change: Change
  readonly entry: IgnoreEntry | undefined
}

function IgnoredChange({ change, entry }: IgnoredChangeProps) {
  return (
    <li>
      <p className="row wrap">
        <SeverityBadge change={change} />
        <code>{change.tool ?? change.tools?.join(', ') ?? 'manifest'}</code>
        {change.path !== '' && <code>{change.path}</code>}
        <VisibleText text={change.message} />
      </p>
      {entry && <Reason entry={entry} note={entry.expires && `until ${entry.expires}`} />}
    </li>
  )
}

interface ReasonProps {
  readonly entry: IgnoreEntry
  readonly note?: string | undefined
}

/** The words of an ignore file are the team's, or those of a folder that somebody else made. */
function Reason({ entry: { fingerprint, reason }, note }: ReasonProps) {
  return (
    <p className="muted">
      <code>{fingerprint}</code> <VisibleText text={reason} /> {note && <Badge>{note}</Badge>}
    </p>
  )
}
