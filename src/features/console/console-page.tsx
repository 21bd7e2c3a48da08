import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { scriptWords } from '../../../core/script/script-tools.ts'
import type { TraceEntry } from '../../../core/script/trace.ts'
import type { CallState } from '../../../core/tool/call-state.ts'
import { useBackend } from '../../api/backend.ts'
import { consoleCommandsQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { storage } from '../../ui/storage.ts'
import { useStore } from '../../ui/value-store.ts'
import { prepareSandbox } from './browser-sandbox.ts'
import styles from './console.module.css'
import { ConsoleBar } from './console-bar.tsx'
import { cancelRun, consoleRun, startRun } from './console-run.ts'
import { addToHistory, type OutputPart } from './console-state.ts'
import { firstScript } from './example-scripts.ts'
import { ScriptEditor } from './script-editor.tsx'
import { texts } from './texts.ts'
import { TracePane } from './trace-pane.tsx'

interface ConsolePageProps {
  /** Renders the result of one call of the trace; `pressedAt` is its start, by `performance.now()`. */
  readonly renderCall: (entry: TraceEntry, call: CallState, pressedAt: number) => ReactNode
}

const textKey = 'toolscope:console:text'
const none: readonly ConsoleCommand[] = []

/** Bash over the catalog's tools: a script, its output, and every call it makes. */
export function ConsolePage({ renderCall }: ConsolePageProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const query = useQuery(consoleCommandsQuery(backend))
  const commands = query.data?.commands ?? none
  const names = useMemo(() => new Set(commands.map(each => each.command)), [commands])
  const run = useStore(consoleRun)
  const [typed, setTyped] = useState(() => storage.get(textKey))
  const [asking, setAsking] = useState<{ script: string; tools: readonly ConsoleCommand[] }>()
  const text = typed ?? (query.data ? firstScript(names) : '')
  const isRunning = run !== undefined && run.end === undefined
  const isRefused = useRefusal('POST /api/invocations') !== undefined
  const canRun = text.trim() !== '' && query.data !== undefined && !isRefused

  useEffect(() => {
    // Load the engine while the user types.
    void prepareSandbox()
  }, [])

  const change = (next: string) => {
    setTyped(next)
    storage.set(textKey, next)
  }
  const start = (script: string, confirmed: readonly ConsoleCommand[]) => {
    setAsking(undefined)
    addToHistory(script)
    // The promise never rejects: every failure is an ending of the run.
    void startRun({ script, backend, client, commands, confirmed: new Set(confirmed.map(({ ref }) => ref)) })
  }
  const askAndStart = (script: string) => {
    if (script.trim() === '' || query.data === undefined || isRunning) return
    const words = scriptWords(script)
    const destructive = commands.filter(each => each.confirm !== undefined && words.has(each.command))
    if (destructive.length > 0) setAsking({ script, tools: destructive })
    else start(script, [])
  }
  useShortcut('call', () => askAndStart(text), canRun && !isRunning)
  useShortcut('cancel', cancelRun, isRunning)

  if (!backend.has('GET /api/commands')) return <EmptyState title="Scripts cannot be run here" />
  return (
    <section className={join('pane', styles.page)} aria-label="Console">
      <h1 className="visually-hidden">Console</h1>
      <ConsoleBar {...{ text, isRunning, names, canRun }} onText={change} onRun={() => askAndStart(text)} />
      {query.error && !query.data && <ErrorNote error={query.error} />}
      <div className={styles.panes}>
        <div className={join('column', styles.work)}>
          <div className={styles.editor}>
            <ScriptEditor {...{ text, commands, names }} onChange={change} onRun={askAndStart} />
          </div>
          <OutputPane />
        </div>
        <TracePane renderCall={renderCall} />
      </div>
      {asking && (
        <ConfirmRun
          tools={asking.tools}
          onConfirm={() => start(asking.script, asking.tools)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

/** The output as it arrives. It scrolls to the end unless the user has scrolled up. */
function OutputPane() {
  const run = useStore(consoleRun)
  const box = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const length = run?.output.length ?? 0
  const last = run?.output.at(-1)?.text.length ?? 0
  const drafted = run?.drafts.at(-1)?.text.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: output was added when they change
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [length, last, drafted])
  return (
    <section
      ref={box}
      className={join('scroll', styles.pane)}
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
      tabIndex={0}
      data-testid="script-output"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {!run && <p className="note">What the script writes appears here.</p>}
      {run?.end && length === 0 && <p className="note">The script wrote nothing.</p>}
      {run && <Parts parts={run.output} />}
      {run && run.drafts.length > 0 && (
        <div className="muted">
          <p className="note">Output so far:</p>
          <Parts parts={run.drafts} />
        </div>
      )}
      {run?.end && run.end.ending !== 'finished' && (
        <p className={styles.end} role="alert">
          {run.end.message}
        </p>
      )}
    </section>
  )
}

function Parts({ parts }: { readonly parts: readonly OutputPart[] }) {
  return parts.map(({ stream, text }, index) => (
    // Parts are only added or extended at the end.
    // biome-ignore lint/suspicious/noArrayIndexKey: the index is the identity
    <pre key={index} className={join('wrapped', stream === 'stderr' && styles.stderr)} data-stream={stream}>
      {stream === 'stderr' && <span className="visually-hidden">stderr: </span>}
      {text}
    </pre>
  ))
}

interface ConfirmRunProps {
  /** The tools that need a confirmation. */
  readonly tools: readonly ConsoleCommand[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const reasons = {
  rule: 'LLM_MCP_NEED_CONFIRM names it',
  guard: 'its program asks on a terminal',
  hint: 'the server marks it destructive (unverified)',
} as const

/** Asks once, before the script starts, about every tool in it that needs a confirmation. */
function ConfirmRun({ tools, onConfirm, onClose }: ConfirmRunProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Run this script?">
      <p>It calls tools that need confirmation:</p>
      <ul className={join('stack', styles.list)}>
        {tools.map(({ command, ref, summary, confirm }) => (
          <li key={ref}>
            <code>{command}</code> · {confirm && reasons[confirm]}
            {summary && <p className="muted">{summary}</p>}
          </li>
        ))}
      </ul>
      <p className="muted">
        After you confirm, the script may call them any number of times. A tool outside this list that needs
        confirmation is refused.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Do not run</Button>
        <Button look="danger" onClick={onConfirm}>
          {texts.runTheScript}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
