import { Link } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Cable,
  GitCompareArrows,
  Play,
  RefreshCw,
  RotateCw,
  ScrollText,
  ShieldCheck,
  ShieldQuestion,
  Square,
  Trash2,
} from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { describeFreshness } from '../../../core/tool/freshness.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Badge, Loading } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatDuration, formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { Description } from '../../ui/markdown.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { ProblemList } from '../../ui/problem-list.tsx'
import { CallSettings } from './call-settings.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { SignIn } from './sign-in.tsx'
import { SourceLog, SourceMenu } from './source-menu.tsx'
import styles from './source-page.module.css'
import { healthTone, sourceWords, statusWord } from './source-status.ts'
import { texts } from './texts.ts'
import { closeTrustDialog, reopenTrustDialog } from './trust-dialog.tsx'
import { useSourceActions } from './use-source-actions.ts'

interface SourcePageProps {
  readonly source: SourceState
  /** Whether the source is as it was approved. */
  readonly approval?: ReactNode
  /** Content of other features about the source. */
  readonly children?: ReactNode
}

/** The page of a source: its kind, its state, its own description, and its problems. */
export function SourcePage({ source, approval, children }: SourcePageProps) {
  const { source: limited } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const [logOpen, setLogOpen] = useState(false)
  const [isConnectOpen, setConnectOpen] = useState(false)
  const refusedConnect = useRefusal('GET /api/sources/{name}/connect')
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
            // The source is the newer side, so that inputs that break can be tried in it.
            <Link to="/diff" search={{ b: comparable(source) }} className={buttonStyles.button}>
              <GitCompareArrows size={14} aria-hidden /> Compare with…
            </Link>
          )}
          {backend.has('GET /api/sources/{name}/wire') && (
            <Link to="/wire" search={{ source: source.name }} className={buttonStyles.button}>
              <ArrowLeftRight size={14} aria-hidden /> Wire
            </Link>
          )}
          {backend.has('GET /api/sources/{name}/connect') && (
            <Button onClick={() => setConnectOpen(true)} refused={refusedConnect}>
              <Cable size={14} aria-hidden /> Connect…
            </Button>
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
      {approval}
      <SourceDirectory source={source} />
      <CallSettings source={source} />
      <ProblemList problems={source.problems} />
      {children}
      {isConnectOpen && <ConnectDialog source={source} onClose={() => setConnectOpen(false)} />}
      {logOpen && source.hasLog && (
        <Suspense fallback={<Loading />}>
          <SourceLog source={source} />
        </Suspense>
      )}
      <Said title="Calling convention" text={source.callingConvention} />
      <Said title="Instructions" text={source.instructions} />
    </section>
  )
}

/** Earlier names of the source, which its recorded calls keep. */
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

/** Returns the reference of the current source; for a closed one, of its last stored version. */
const comparable = ({ name, status }: SourceState) => (status === 'stopped' ? `${name}@latest` : name)

function whatAdded({ origin }: SourceState): string {
  if (origin === undefined) return 'the command line'
  return origin.file ?? 'you in the browser'
}

/** A text that the source provides. */
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

/** Facts about a source, as pairs. */
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
    ['Tools found by', source.foundBy],
    [
      'Callable',
      (source.status === 'ready' || source.status === 'degraded') &&
        (source.callable ? 'yes' : 'no (view only)'),
    ],
    ['Tools loaded', read && `${read}${took}`],
    ['Lists', source.freshness && describeFreshness(source.freshness)],
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

/** Whether the user trusts the configuration that names this source, and buttons to change that. */
function TrustNote({ source: { trusted } }: { readonly source: SourceState }) {
  const backend = useBackend()
  const withdrawing = useSourceChange(() => backend.request('DELETE /api/trust', {}), closeTrustDialog)
  const refused = useRefusal('PUT /api/trust')
  if (trusted === undefined || !backend.has('PUT /api/trust')) return null
  return (
    <section className="row wrap" aria-label={texts.trust}>
      <span className="row">
        {trusted ? (
          <ShieldCheck size={16} aria-hidden className={styles.icon} />
        ) : (
          <ShieldQuestion size={16} aria-hidden className={styles.icon} />
        )}
        {trusted
          ? 'toolscope.json names this source, and you trust what it starts.'
          : 'toolscope.json names this source. It does not run until you trust what it starts.'}
      </span>
      {trusted ? (
        <Button onClick={() => withdrawing.mutate()} disabled={withdrawing.isPending} refused={refused}>
          Remove trust
        </Button>
      ) : (
        <Button look="primary" onClick={reopenTrustDialog} refused={refused}>
          {texts.reviewAndTrust}
        </Button>
      )}
      <ErrorNote error={withdrawing.error} />
    </section>
  )
}

/** The directory in which a source's tools run, and a field to change it; nothing if it cannot be chosen. */
function SourceDirectory({ source }: { readonly source: SourceState }) {
  const { name, directory } = source
  const backend = useBackend()
  const id = useId()
  // Undefined while the field shows the current directory.
  const [entered, setEntered] = useState<string>()
  const setting = useSourceChange((path: string) =>
    backend.request('PUT /api/sources/{name}/directory', { params: { name }, body: { directory: path } }),
  )
  const set = (path: string) => setting.mutate(path, { onSuccess: () => setEntered(undefined) })
  const refused = useRefusal('PUT /api/sources/{name}/directory')
  if (directory === undefined || !backend.has('PUT /api/sources/{name}/directory')) return null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        set(entered ?? directory)
      }}
    >
      <label htmlFor={id}>Tools run in</label>
      <div className="row">
        <input
          id={id}
          className="text-field"
          value={entered ?? directory}
          onChange={event => setEntered(event.target.value)}
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
          maxLength={4_096}
        />
        <Button
          type="submit"
          disabled={setting.isPending || entered === undefined || entered === directory}
          refused={refused}
        >
          Set
        </Button>
        <Button onClick={() => set('')} disabled={setting.isPending} refused={refused}>
          Reset
        </Button>
      </div>
      <p id={`${id}-help`} className="note">
        For all calls until Toolscope ends. “Reset” takes the directory of toolscope.json, or else the one
        Toolscope was started in.
      </p>
      <ErrorNote error={setting.error} />
    </form>
  )
}

interface SourceActionsProps {
  readonly source: SourceState
  readonly logOpen: boolean
  readonly onLogOpen: (open: boolean) => void
  readonly onRemoved: () => void
  readonly onRenamed: (name: string) => void
}

/** The actions for a source; nothing if the backend cannot open sources. */
function SourceActions({ source, logOpen, onLogOpen, onRemoved, onRenamed }: SourceActionsProps) {
  const actions = useSourceActions(source, onRemoved)
  const { act, remove, isBusy, refused, refusedRead } = actions
  if (!actions.isOffered) return null
  const { status } = source
  const words = sourceWords(source.kind)
  const stopped = status === 'stopped'
  const removing = (
    <Button onClick={() => remove()} disabled={isBusy} refused={refused}>
      <Trash2 size={14} aria-hidden /> {texts.remove}
    </Button>
  )
  // A source that is not trusted cannot start: TrustNote asks for trust.
  if (source.trusted === false) return removing
  return (
    <>
      {source.hasLog && (
        <Button aria-expanded={logOpen} onClick={() => onLogOpen(!logOpen)}>
          <ScrollText size={14} aria-hidden /> {texts.log}
        </Button>
      )}
      {!stopped && (
        <Button onClick={() => act('refresh')} disabled={isBusy} refused={refusedRead}>
          <RefreshCw size={14} aria-hidden /> {isBusy ? texts.reading : texts.refresh}
        </Button>
      )}
      {!stopped && status !== 'failed' && (
        <Button onClick={() => act('stop')} disabled={isBusy} refused={refused}>
          <Square size={14} aria-hidden /> {words.stop}
        </Button>
      )}
      <Button
        look={stopped ? 'primary' : 'plain'}
        onClick={() => act('restart')}
        disabled={isBusy}
        refused={refused}
      >
        {stopped ? <Play size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
        {stopped ? words.start : words.restart}
      </Button>
      {removing}
      <SourceMenu source={source} actions={actions} settingsOnly onRenamed={onRenamed} />
      <ErrorNote error={actions.error} />
    </>
  )
}
