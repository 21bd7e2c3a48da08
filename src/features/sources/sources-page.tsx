import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { SourceList, SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatAge, formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { runShortcut } from '../../ui/shortcut-handlers.ts'
import { TableHead } from '../../ui/table.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { useNow } from '../../ui/use-now.ts'
import { FittingAction } from './fitting-action.tsx'
import { SourceMenu } from './source-menu.tsx'
import {
  byAttention,
  healthTone,
  kindText,
  needsAttention,
  shortenError,
  statusWord,
  stoppedText,
} from './source-status.ts'
import styles from './sources-page.module.css'
import { texts } from './texts.ts'
import { useRestoreSource, useSourceActions } from './use-source-actions.ts'

const headings = [texts.name, 'Status', texts.kind, texts.tools, 'Last read', 'Actions']

/** Every source: its state, its kind, and its actions. */
export function SourcesPage() {
  const backend = useBackend()
  const { data, error } = useQuery(sourcesQuery(backend))
  const refused = useRefusal('POST /api/sources')
  const now = useNow()
  const { sources = [], removed = [] } = data ?? {}
  const waiting = sources.filter(needsAttention).length
  return (
    <section className={join('page', styles.page)} aria-label={texts.sources}>
      <div className="row wrap">
        <h1 className={styles.title}>{texts.sources}</h1>
        <span className="muted">
          {sources.length}
          {waiting > 0 && ` · ${waiting} ${waiting === 1 ? 'needs' : 'need'} attention`}
        </span>
        <span className="grow" />
        {backend.has('POST /api/sources') && (
          <>
            <Button refused={refused} onClick={() => runShortcut('add-from-client')}>
              {texts.fromAnotherClient}…
            </Button>
            <Button look="primary" refused={refused} onClick={() => runShortcut('add-source')}>
              <Plus size={14} aria-hidden /> {commonTexts.addSource}
            </Button>
          </>
        )}
      </div>
      <ErrorNote error={error} />
      {sources.length === 0 ? (
        <p className="muted">No sources yet.</p>
      ) : (
        <table className={styles.table}>
          <TableHead headings={headings} />
          <tbody>
            {byAttention(sources).map(source => (
              <SourceRow key={source.name} source={source} now={now} />
            ))}
          </tbody>
        </table>
      )}
      <RemovedSources removed={removed} />
    </section>
  )
}

function SourceRow({ source, now }: { readonly source: SourceState; readonly now: number }) {
  const actions = useSourceActions(source)
  const { error, refreshedAt, origin } = source
  const file = origin?.file?.split(/[\\/]/).at(-1)
  return (
    <tr>
      <td data-cell="name">
        <div className="row wrap">
          <Link to="/" search={{ about: source.name }} className={styles.name}>
            {source.name}
          </Link>
          {file && <Badge title={origin?.file ?? ''}>from {file}</Badge>}
        </div>
        <div className={join('muted', styles.label)} title={source.label}>
          {source.label}
        </div>
      </td>
      <td data-cell="status">
        <Badge tone={healthTone(source)}>{statusWord(source)}</Badge>{' '}
        {error ? (
          <>
            {shortenError(error.detail)}
            <div className="muted">{shortenError(error.hint)}</div>
          </>
        ) : (
          source.status === 'stopped' && <span className="muted">{stoppedText(source)}</span>
        )}
        {actions.error && <ErrorNote error={actions.error} />}
      </td>
      <td data-cell="kind">{kindText(source)}</td>
      <td data-cell="tools" data-empty={source.toolCount === 0 || undefined}>
        {source.toolCount > 0 ? formatCount(source.toolCount) : '–'}
      </td>
      <td data-cell="read" data-empty={refreshedAt === undefined || undefined}>
        {refreshedAt === undefined ? '–' : formatAge(refreshedAt, new Date(now))}
      </td>
      <td data-cell="actions">
        <div className={styles.actions}>
          <FittingAction source={source} actions={actions} />
          <SourceMenu source={source} actions={actions} />
        </div>
      </td>
    </tr>
  )
}

/** Sources that were removed since Toolscope started, each with a button to restore it. */
function RemovedSources({ removed }: Pick<SourceList, 'removed'>) {
  const restoring = useRestoreSource()
  const refused = useRefusal('POST /api/sources/{name}/restore')
  if (removed.length === 0) return null
  return (
    <section className="stack" aria-label={texts.removed}>
      <h2>{texts.removed}</h2>
      <p className="note">They can be restored until Toolscope ends.</p>
      {removed.map(({ name, label }) => (
        <div key={name} className="row wrap">
          <b className="mono">{name}</b>
          <span className={join('muted', styles.label)}>{label}</span>
          <Button onClick={() => restoring.mutate(name)} refused={refused} aria-label={`Restore ${name}`}>
            Restore
          </Button>
        </div>
      ))}
      <ErrorNote error={restoring.error} />
    </section>
  )
}
