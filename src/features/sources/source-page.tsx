import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Description } from '../../ui/description.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { formatCount, formatDuration, formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ProblemList } from '../../ui/problem-list.tsx'
import { SignIn } from './sign-in.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceDirectory } from './source-directory.tsx'
import { SourceLog } from './source-log.tsx'
import styles from './source-page.module.css'
import { healthTone, sourceWords, statusWord } from './source-status.ts'
import { texts } from './texts.ts'
import { TrustNote } from './trust-note.tsx'

interface SourcePageProps {
  readonly source: SourceState
  /** What another feature has to say of the source. */
  readonly children?: ReactNode
}

/** A source's own page: what it is, how it is, what it says of itself, and what is wrong with it. */
export function SourcePage({ source, children }: SourcePageProps) {
  const { source: limited } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const [logOpen, setLogOpen] = useState(false)
  const only = limited === source.name
  return (
    <section className={join('page', styles.page)} aria-label={texts.sourceLabel}>
      <header className={styles.head}>
        <div className="row">
          <h1 className="name">{source.name}</h1>
          <Badge tone={healthTone(source)}>{statusWord(source)}</Badge>
        </div>
        <div className={join('row wrap', styles.acts)}>
          {source.toolCount > 0 && (
            <Button aria-pressed={only} onClick={() => go({ source: only ? undefined : source.name })}>
              {only ? 'Show all sources' : 'Show only its tools'}
            </Button>
          )}
          {backend.has('GET /api/diff') && source.status !== 'failed' && (
            // As the newer side: the inputs that broke can then be tried in it.
            <Link to="/diff" search={{ b: comparable(source) }} className={buttonStyles.button}>
              <GitCompareArrows size={14} aria-hidden /> Compare with…
            </Link>
          )}
          <SourceActions
            source={source}
            logOpen={logOpen}
            onLogOpen={setLogOpen}
            onRemoved={() => go({ about: undefined, source: undefined })}
            onRenamed={about => go({ about }, { replace: true })}
          />
        </div>
      </header>
      {source.error && source.error.code !== 'sign-in-needed' && <ErrorNote shape={source.error} />}
      <SignIn source={source} />
      <SourceFacts source={source} />
      {source.status === 'stopped' && source.trusted !== false && (
        <p>{sourceWords(source.kind).stoppedText}</p>
      )}
      <FormerNames source={source} />
      <TrustNote source={source} />
      <SourceDirectory source={source} />
      <ProblemList problems={source.problems} />
      {children}
      {logOpen && source.hasLog && <SourceLog name={source.name} />}
      <Said title="Calling convention" text={source.callingConvention} />
      <Said title="Instructions" text={source.instructions} />
    </section>
  )
}

/** Calls keep the name that the source had. */
function FormerNames({ source }: { readonly source: SourceState }) {
  const { formerNames = [] } = source
  if (formerNames.length === 0) return null
  return (
    <p>
      It was called{' '}
      {formerNames.map((former, index) => (
        <span key={former}>
          {index > 0 && ', '}
          <b className="mono">{former}</b> (
          <Link to="/history" search={{ source: former }}>
            its calls
          </Link>
          )
        </span>
      ))}
      .
    </p>
  )
}

/** The source as it is now; of a closed one the last version that is kept. */
const comparable = ({ name, status }: SourceState) => (status === 'stopped' ? `${name}@latest` : name)

function whatAdded({ origin }: SourceState): string {
  if (origin === undefined) return 'the command line'
  return origin.file ?? 'you in the browser'
}

/** A text of the source's own. */
function Said({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  if (!text) return null
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <div>
        <Description text={text.slice(0, 100_000)} lines={12} />
      </div>
    </section>
  )
}

/** What is known of a source, as pairs. */
function SourceFacts({ source }: { readonly source: SourceState }) {
  const read = source.refreshedAt && formatTime(source.refreshedAt, new Date())
  const took = source.durationMs === undefined ? '' : ` (${formatDuration(source.durationMs)})`
  const server = source.serverInfo && `${source.serverInfo.name} ${source.serverInfo.version}`
  const { hiddenTools = 0 } = source
  const elsewhere = hiddenTools > 0 ? ` (${formatCount(hiddenTools)} more are shown under their bridge)` : ''
  const facts = [
    [texts.sourceLabel, source.label],
    ['Added by', whatAdded(source)],
    [texts.kind, source.kind],
    ['Format', source.format],
    ['Server', server],
    ['Protocol', source.protocol],
    [texts.tools, `${formatCount(source.toolCount)}${elsewhere}`],
    [
      'Callable',
      (source.status === 'ready' || source.status === 'degraded') &&
        (source.callable ? 'yes' : 'no (view only)'),
    ],
    ['Tools loaded', read && `${read}${took}`],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: 'contents' }}>
              <dt className="muted">{name}</dt>
              <dd>{name === texts.sourceLabel ? <code>{value}</code> : value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
