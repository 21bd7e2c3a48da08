import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitCompareArrows, Rss, X } from 'lucide-react'
import { useState } from 'react'
import type { ChangelogPage as Page } from '../../../core/api/versions.ts'
import type { Bump, ChangelogEntry } from '../../../core/report/changelog.ts'
import {
  buildEntryOutline,
  type VisibleBreak,
  type VisibleList,
} from '../../../core/report/changelog-outline.ts'
import { visible, visibleLine } from '../../../core/report/report-text.ts'
import { useBackend } from '../../api/backend.ts'
import { changelogQuery } from '../../api/changelog.ts'
import { Badge, Loading, type Tone } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { Segments } from '../../ui/toggle-buttons.tsx'
import { useTitle } from '../../ui/use-title.ts'
import styles from './changelog.module.css'
import { useChangelogSearch } from './changelog-search.ts'
import { texts } from './texts.ts'

const comparingVersions = 'Comparing versions…'

/** The page at `/changelog`: the changes of each version of a source since the one before. */
export function ChangelogPage() {
  const [{ source }] = useChangelogSearch()
  const backend = useBackend()
  useTitle(source === undefined ? texts.changelog : `Changelog of ${source}`)
  if (!backend.has('GET /api/sources/{name}/changelog'))
    return (
      <EmptyState title="This page has no changelog">
        To put one into an export: toolscope export --changelog.
      </EmptyState>
    )
  if (source === undefined)
    return (
      <EmptyState title="No source is named">
        Open a source in the catalog, and choose “Changelog” next to its versions.
      </EmptyState>
    )
  return <SourceChangelog key={source} source={source} />
}

function SourceChangelog({ source }: { readonly source: string }) {
  const [search, go] = useChangelogSearch()
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    changelogQuery(useBackend(), source, search.kind),
  )
  const [first] = data?.pages ?? []
  return (
    <section className={join('page', styles.page)} aria-label={texts.changelog}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          Changelog of <span className="name">{source}</span>
        </h1>
        <div className="row wrap">
          {first && first.kinds.length > 1 && (
            <Segments
              legend="Versions that are listed"
              choices={first.kinds.map(kind => ({
                value: kind,
                label: kind === 'git' ? 'Commits' : 'Saved versions',
              }))}
              value={first.kind}
              onChange={kind => go({ kind }, { replace: true })}
            />
          )}
          <Link to="/" search={{ about: source }} className={buttonStyles.button}>
            To the source
          </Link>
          {first?.feed && (
            <a href={first.feed} className={buttonStyles.button}>
              <Rss size={14} aria-hidden /> JSON Feed
            </a>
          )}
        </div>
      </header>
      <ErrorNote error={error} />
      {isPending && <Loading>{comparingVersions}</Loading>}
      {data && <Entries pages={data.pages} source={source} />}
      {hasNextPage &&
        (isFetchingNextPage ? (
          <Loading>{comparingVersions}</Loading>
        ) : (
          <div>
            <Button onClick={() => void fetchNextPage()}>{texts.showOlder}</Button>
          </div>
        ))}
    </section>
  )
}

function Entries({ pages, source }: { readonly pages: readonly Page[]; readonly source: string }) {
  const entries = pages.flatMap(page => page.entries)
  const unreadable = pages.flatMap(page => page.unreadable)
  if (entries.length === 0)
    return <EmptyState title={`No version of ${source} is known yet`}>{texts.versionIsSaved}</EmptyState>
  return (
    <>
      <ol className={styles.versions}>
        {entries.map(entry => (
          <ChangelogVersion key={entry.reference} entry={entry} />
        ))}
      </ol>
      {unreadable.length > 0 && (
        <p className="muted">Not readable as a manifest, so left out: {unreadable.join(', ')}</p>
      )}
    </>
  )
}

/** Breaking changes of a version that are shown at first. */
const breaksAtFirst = 3
const bumpTones: Readonly<Record<Bump, Tone>> = { major: 'bad', minor: 'info', patch: 'plain', none: 'plain' }
const bumpNotes: Readonly<Record<Exclude<Bump, 'none'>, string>> = {
  major: 'Asks for a new major version: something can break callers',
  minor: 'Asks for a new minor version: something was added, or needs a look',
  patch: 'Asks for a new patch version: texts and hints changed',
}

/** One version: its changes since the one before. Names, notes and messages are hostile text. */
function ChangelogVersion({ entry }: { readonly entry: ChangelogEntry }) {
  const { name, time, note, sentence, bump, before, reference } = entry
  const { breaks, moreBreaks, lists } = buildEntryOutline(entry)
  const isChanged = before !== undefined && bump !== 'none'
  return (
    <li className={styles.version} data-testid="changelog-version">
      <div className={styles.heading}>
        <h2 className="mono">
          <bdi>{visibleLine(name)}</bdi>
        </h2>
        {note !== undefined && (
          <span>
            <bdi>{visibleLine(note)}</bdi>
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
  readonly breaks: readonly VisibleBreak[]
  readonly more: string | undefined
}) {
  const [isOpen, setIsOpen] = useState(false)
  const visibleBreaks = isOpen ? breaks : breaks.slice(0, breaksAtFirst)
  if (breaks.length === 0 && more === undefined) return null
  return (
    <>
      <ul className={styles.breaks} aria-label="Breaking changes">
        {visibleBreaks.map((each, index) => (
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

function Break({ subject, path, message, refusal, value }: VisibleBreak) {
  return (
    <li className={styles.break}>
      <p>
        <X size={12} strokeWidth={2.5} aria-hidden className={styles.cross} />
        <b className="mono">
          <bdi>{visibleLine(subject)}</bdi>
        </b>{' '}
        {path !== '' && (
          <code>
            <bdi>{visibleLine(path)}</bdi>
          </code>
        )}{' '}
        <bdi>{visibleLine(message)}</bdi>
      </p>
      {refusal !== undefined && (
        <div className={styles.witness}>
          <p className="muted">
            <bdi>{visibleLine(refusal)}</bdi>
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
function Names({ title, breaks, items }: VisibleList) {
  return (
    <div data-tone={breaks ? 'bad' : 'ok'}>
      <dt className={styles.toned}>{title}</dt>
      <dd>
        {items.map(([name, next], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tools may have one name, and the list never changes
          <code key={index}>
            <bdi>{visibleLine(next === undefined ? name : `${name} → ${next}`)}</bdi>
          </code>
        ))}
      </dd>
    </div>
  )
}
