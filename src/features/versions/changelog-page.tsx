import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Rss } from 'lucide-react'
import type { ChangelogPage as Page } from '../../../core/api/versions.ts'
import { useBackend } from '../../api/backend.ts'
import { changelogQuery } from '../../api/changelog.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { Segments } from '../../ui/segments.tsx'
import { Loading } from '../../ui/spinner.tsx'
import { useTitle } from '../../ui/use-title.ts'
import styles from './changelog.module.css'
import { useChangelogSearch } from './changelog-search.ts'
import { ChangelogVersion } from './changelog-version.tsx'
import { texts } from './texts.ts'

/** The page at `/changelog`: what each version of a source changed against the one before it. */
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
      {isPending && <Loading>{texts.comparingVersions}</Loading>}
      {data && <Entries pages={data.pages} source={source} />}
      {hasNextPage &&
        (isFetchingNextPage ? (
          <Loading>{texts.comparingVersions}</Loading>
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
