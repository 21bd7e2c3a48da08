import type { ReactNode } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import type { Change } from '../../../core/diff/change.ts'
import { expiredIgnores, type IgnoreEntry, isExpired } from '../../../core/diff/team-rules.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './followed-rules.module.css'
import { SeverityBadge } from './severity-badge.tsx'
import { texts } from './texts.ts'
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
    rules && texts.rulesOf(rules.file),
    offCount > 0 && texts.switchedOffCount(offCount),
    ignore && texts.ignoredBy(ignore.file, ignored.length),
    expired.length > 0 && texts.expiredCount(expired.length),
    unused.length > 0 && texts.unusedCount(unused.length),
  ]
  const entryOf = ({ fingerprint }: Change) =>
    ignore?.entries.find(entry => entry.fingerprint === fingerprint && !isExpired(entry, ignore))
  return (
    <details className={styles.rules} data-testid="diff-rules">
      <summary>{capitalize(line.filter(Boolean).join(' · '))}</summary>
      <div className={styles.body}>
        <p className="muted">{texts.rulesNote}</p>
        <Entries title={texts.ignoredChanges}>
          {ignored.map(change => (
            <IgnoredChange key={change.fingerprint} change={change} entry={entryOf(change)} />
          ))}
        </Entries>
        <Entries title={texts.expiredEntries}>
          {expired.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} note={texts.expiredOn(entry.expires)} />
            </li>
          ))}
        </Entries>
        <Entries title={texts.unusedEntries}>
          {unused.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} />
            </li>
          ))}
        </Entries>
        <Entries title={texts.severitiesSet}>
          {Object.entries(rules?.severities ?? {}).map(([rule, severity]) => (
            <li key={rule} className="row wrap">
              <code>{rule}</code>
              <span className="muted">
                {severity === 'off' ? texts.switchedOff(switchedOff[rule] ?? 0) : severity}
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
        <code>{change.tool ?? change.tools?.join(', ') ?? texts.manifest}</code>
        {change.path !== '' && <code>{change.path}</code>}
        <VisibleText text={change.message} />
      </p>
      {entry && <Reason entry={entry} note={entry.expires && texts.ignoredUntil(entry.expires)} />}
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
