import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitCommitHorizontal, GitCompareArrows, NotebookText, Tag, X } from 'lucide-react'
import { useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { Version, VersionList } from '../../../core/api/versions.ts'
import { toAppError } from '../../../core/errors.ts'
import { isLabel } from '../../../core/manifest/reference.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate, versionsQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge, Loading } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { CountsBadges } from '../../ui/severity-badges.tsx'
import { TableHead } from '../../ui/table.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { texts } from './texts.ts'
import styles from './timeline.module.css'

const versionsLabel = (name: string) => `Versions of ${name}`

interface TimelineProps {
  /** The subject of the versions, as the name of the table. */
  readonly label: string
  readonly source: string
  readonly list: VersionList
  /** The only tool in the diff. */
  readonly tool?: string
  /** Absent if a longer list cannot be requested. */
  readonly onMore: (() => void) | undefined
}

/** Versions, newest first; any two can be picked and compared. */
function Timeline({ label, source, list, tool, onMore }: TimelineProps) {
  const [picked, setPicked] = useState<ComparedVersions>({ a: undefined, b: undefined })
  const { versions, more, kept } = list
  const compared = effectivePick(versions, picked)
  const { a, b } = compared
  const different = a !== undefined && b !== undefined && a !== b
  return (
    <div className={styles.timeline} data-testid="timeline">
      <div className={join('row', styles.actions)}>
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
            {versions.length < 2 ? 'There is only one version yet.' : 'Pick two different versions.'}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
      <section className={styles.scroll} aria-label={label} tabIndex={0}>
        <table className={styles.table}>
          <TableHead headings={[commonTexts.before, commonTexts.after, 'Version', 'Changes']} />
          <tbody>
            {versions.map(version => (
              <VersionRow
                key={version.reference}
                {...{ source, version, compared }}
                canLabel={kept}
                onCompare={setPicked}
              />
            ))}
          </tbody>
        </table>
      </section>
      {more &&
        (onMore ? (
          <div>
            <Button onClick={onMore}>{texts.showOlder}</Button>
          </div>
        ) : (
          <p className="muted">
            Older versions are not listed. Compare them on the Diff page, for example {source}@1 or
            git:REVISION:path.
          </p>
        ))}
      {!kept && (
        <p className="muted">History and versions are not saved: these are lost when the program ends.</p>
      )}
    </div>
  )
}

/** On a source's page: the history of its manifest. Nothing if there are no versions. */
export function SourceVersions({ source }: { readonly source: string }) {
  const backend = useBackend()
  const { list, error, showMore } = useVersions(source)
  if (!error && !list?.versions.length) return null
  return (
    <section className="stack" aria-label="Versions">
      <div className="row wrap">
        <h2>Versions</h2>
        {backend.has('GET /api/sources/{name}/changelog') && (
          <Link to="/changelog" search={{ source }} className={join(buttonStyles.button, buttonStyles.quiet)}>
            <NotebookText size={14} aria-hidden /> {texts.changelog}
          </Link>
        )}
      </div>
      <ErrorNote error={error} />
      {list && <Timeline label={versionsLabel(source)} source={source} list={list} onMore={showMore} />}
    </section>
  )
}

/** A tool's tab: the versions of its source that changed it. */
export function ToolVersions({ tool }: { readonly tool: ToolDetail }) {
  const { list, error, showMore } = useVersions(tool.source, tool.ref)
  if (error)
    return (
      <div className="padded">
        <ErrorNote error={error} />
      </div>
    )
  if (!list) return <Loading>Looking for versions…</Loading>
  if (list.versions.length === 0)
    return <EmptyState title="No version of this tool is known yet">{texts.versionIsSaved}</EmptyState>
  return (
    <div className={styles.body}>
      <Timeline
        label={versionsLabel(tool.name)}
        source={tool.source}
        list={list}
        tool={tool.name}
        onMore={showMore}
      />
    </div>
  )
}

const firstLimit = 20
const lastLimit = 500

/** Loads the versions of a source, or with `ref` those that changed a tool. */
function useVersions(source: string, ref?: string) {
  const [limit, setLimit] = useState(firstLimit)
  const { data, error } = useQuery(versionsQuery(useBackend(), source, limit, ref))
  const showMore = limit < lastLimit ? () => setLimit(Math.min(lastLimit, limit * 5)) : undefined
  return { list: data, error, showMore }
}

/**
 * Returns the two versions to compare. Before the user picks any: the newest and the one of its kind before it. Drops a
 * picked version that is no longer listed.
 * @param versions newest first
 */
export function effectivePick(versions: readonly Version[], pick: ComparedVersions): ComparedVersions {
  const listed = new Set(versions.map(version => version.reference))
  const keepListed = (reference: string | undefined) =>
    reference !== undefined && listed.has(reference) ? reference : undefined
  const b = keepListed(pick.b) ?? versions[0]?.reference
  const at = versions.findIndex(version => version.reference === b)
  const earlier = versions.slice(at + 1)
  const before = earlier.find(version => version.kind === versions[at]?.kind) ?? earlier[0]
  const older = before?.reference ?? versions.find(version => version.reference !== b)?.reference
  return { a: keepListed(pick.a) ?? older, b }
}

/** The references of the two versions to compare. */
interface ComparedVersions {
  readonly a: string | undefined
  readonly b: string | undefined
}

interface VersionRowProps {
  readonly source: string
  readonly version: Version
  /** Whether labels can be added and removed. */
  readonly canLabel: boolean
  readonly compared: ComparedVersions
  readonly onCompare: (compared: ComparedVersions) => void
}

function VersionRow({ source, version, canLabel, compared, onCompare }: VersionRowProps) {
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
        <div className="note">{subject ?? formatVersionFacts(version)}</div>
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

/** Returns `refreshed by ada · 16 tools · version 2.1 · git 1f3a2b4c`. */
function formatVersionFacts({ cause, by, toolCount, version, git }: Version): string {
  return [
    by === undefined ? cause : `${cause} by ${by}`,
    toolCount !== undefined && plural(toolCount, 'tool'),
    version && `version ${version}`,
    git && `git ${git.slice(0, 8)}${git.endsWith('+') ? ', with changes' : ''}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

interface VersionLabelsProps {
  readonly source: string
  readonly number: number
  readonly labels: readonly string[]
  readonly editable: boolean
}

/** The labels of a version, each with a button to remove it, and a field to add one. */
export function VersionLabels({ source, number, labels, editable }: VersionLabelsProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const [text, setText] = useState<string>()
  const change = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => act(),
    onSuccess: () => setText(undefined),
    onSettled: () => invalidate(client, 'versions'),
  })
  const setLabel = (label: string) =>
    change.mutate(() =>
      backend.request('PUT /api/sources/{name}/versions/{number}/labels/{label}', {
        params: { name: source, number, label },
      }),
    )
  const canEdit = editable && backend.has('PUT /api/sources/{name}/versions/{number}/labels/{label}')
  const refused = useRefusal('PUT /api/sources/{name}/versions/{number}/labels/{label}')
  const wanted = text?.trim() ?? ''
  const wrong = wanted !== '' && !isLabel(wanted)
  return (
    <>
      {labels.map(label => (
        <span key={label} className={styles.label}>
          <Tag size={11} aria-hidden /> {label}
          {canEdit && (
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove the label ${label}`}
              disabled={refused !== undefined}
              title={refused}
              onClick={() =>
                change.mutate(() =>
                  backend.request('DELETE /api/sources/{name}/labels/{label}', {
                    params: { name: source, label },
                  }),
                )
              }
            >
              <X size={12} aria-hidden />
            </button>
          )}
        </span>
      ))}
      {canEdit && text === undefined && (
        <button
          type="button"
          className={join('link', styles.add)}
          aria-label={`Label ${source}@${number}`}
          disabled={refused !== undefined}
          title={refused}
          onClick={() => setText('')}
        >
          Label…
        </button>
      )}
      {text !== undefined && (
        <form
          className={join('row wrap', styles.form)}
          onSubmit={event => {
            event.preventDefault()
            if (wanted !== '' && !wrong) setLabel(wanted)
          }}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setText(undefined)
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the user has just pressed the button that opens it
            autoFocus
            className="text-field"
            aria-label={`Label for ${source}@${number}`}
            aria-invalid={wrong}
            value={text}
            maxLength={64}
            placeholder="release-2.1"
            onChange={event => setText(event.target.value)}
          />
          <Button type="submit" disabled={wanted === '' || wrong || change.isPending}>
            {commonTexts.save}
          </Button>
          <Button look="quiet" onClick={() => setText(undefined)}>
            {commonTexts.cancel}
          </Button>
          {wrong && (
            <span className={styles.wrong}>Letters, digits, “.”, “_”, “+”, “-”; no number, no date.</span>
          )}
        </form>
      )}
      {change.error && <span className={styles.wrong}>{toAppError(change.error).detail}</span>}
    </>
  )
}
