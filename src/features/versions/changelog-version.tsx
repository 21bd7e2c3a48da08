import { Link } from '@tanstack/react-router'
import { GitCompareArrows, X } from 'lucide-react'
import { useState } from 'react'
import type { Bump, ChangelogEntry } from '../../../core/report/changelog.ts'
import { outlineOf, type ShownBreak, type ShownList } from '../../../core/report/changelog-outline.ts'
import { oneLine, visible } from '../../../core/report/text.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './changelog.module.css'

/** Breaking changes of a version that are shown at first. */
const breaksAtFirst = 3
const bumpTones: Readonly<Record<Bump, Tone>> = { major: 'bad', minor: 'info', patch: 'plain', none: 'plain' }
const bumpNotes: Readonly<Record<Exclude<Bump, 'none'>, string>> = {
  major: 'Asks for a new major version: something can break callers',
  minor: 'Asks for a new minor version: something was added, or needs a look',
  patch: 'Asks for a new patch version: texts and hints changed',
}

/** One version: what it changed against the one before it. Names, notes and messages are hostile text. */
export function ChangelogVersion({ entry }: { readonly entry: ChangelogEntry }) {
  const { name, time, note, sentence, bump, before, reference } = entry
  const { breaks, moreBreaks, lists } = outlineOf(entry)
  const isChanged = before !== undefined && bump !== 'none'
  return (
    <li className={styles.version} data-testid="changelog-version">
      <div className={styles.heading}>
        <h2 className="mono">
          <bdi>{oneLine(name)}</bdi>
        </h2>
        {note !== undefined && (
          <span>
            <bdi>{oneLine(note)}</bdi>
          </span>
        )}
        {bump !== undefined && bump !== 'none' && (
          <Badge tone={bumpTones[bump]} title={bumpNotes[bump]}>
            {bump}
          </Badge>
        )}
        {time !== undefined && (
          <time dateTime={time} className="muted">
            {formatTime(time, new Date())}
          </time>
        )}
        {isChanged && (
          <Link
            to="/diff"
            search={{ a: before.reference, b: reference }}
            className={join(buttonStyles.button, buttonStyles.quiet, styles.compare)}
            aria-label={`Full comparison of ${before.name} and ${name}`}
          >
            <GitCompareArrows size={14} aria-hidden /> Full comparison
          </Link>
        )}
      </div>
      <p className={isChanged ? undefined : 'muted'}>{sentence}</p>
      <Breaks breaks={breaks} more={moreBreaks} />
      {lists.length > 0 && (
        <dl className={styles.lists}>
          {lists.map(list => (
            <Names key={list.title} {...list} />
          ))}
        </dl>
      )}
    </li>
  )
}

/** The first breaking changes, and the others on demand, so that several versions fit the screen. */
function Breaks({
  breaks,
  more,
}: {
  readonly breaks: readonly ShownBreak[]
  readonly more: string | undefined
}) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? breaks : breaks.slice(0, breaksAtFirst)
  if (breaks.length === 0 && more === undefined) return null
  return (
    <>
      <ul className={styles.breaks} aria-label="Breaking changes">
        {shown.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a version never changes
          <Break key={index} {...each} />
        ))}
      </ul>
      <p className="row wrap muted">
        {breaks.length > breaksAtFirst && (
          <button type="button" className="link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen
              ? commonTexts.showLess
              : `Show ${plural(breaks.length - breaksAtFirst, 'more breaking change')}`}
          </button>
        )}
        {more !== undefined && `${more} in the full comparison`}
      </p>
    </>
  )
}

function Break({ subject, path, message, refusal, value }: ShownBreak) {
  return (
    <li className={styles.break}>
      <p>
        <X size={12} strokeWidth={2.5} aria-hidden className={styles.cross} />
        <b className="mono">
          <bdi>{oneLine(subject)}</bdi>
        </b>{' '}
        {path !== '' && (
          <code>
            <bdi>{oneLine(path)}</bdi>
          </code>
        )}{' '}
        <bdi>{oneLine(message)}</bdi>
      </p>
      {refusal !== undefined && (
        <div className={styles.witness}>
          <p className="muted">
            <bdi>{oneLine(refusal)}</bdi>
          </p>
          {value !== undefined && (
            <pre className="wrapped">
              <bdi>{visible(value)}</bdi>
            </pre>
          )}
        </div>
      )}
    </li>
  )
}

/** Tools that were added, removed or renamed. */
function Names({ title, breaks, items }: ShownList) {
  return (
    <div data-tone={breaks ? 'bad' : 'ok'}>
      <dt className={styles.toned}>{title}</dt>
      <dd>
        {items.map(([name, next], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tools may have one name, and the list never changes
          <code key={index}>
            <bdi>{oneLine(next === undefined ? name : `${name} → ${next}`)}</bdi>
          </code>
        ))}
      </dd>
    </div>
  )
}
