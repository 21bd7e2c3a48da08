import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Gauge, Play, Save, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SavedScript, ScriptList } from '../../../core/api/scripts.ts'
import { scriptNameProblem } from '../../../core/script/protocol.ts'
import type { ScriptEnd, ScriptEnding } from '../../../core/script/trace.ts'
import { type Backend, useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../ui/menu.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { RunBadge } from '../../ui/run-badge.tsx'
import { isText, storage, storedList } from '../../ui/storage.ts'
import { saveFile } from '../../ui/text-file.ts'
import { commonTexts } from '../../ui/texts.ts'
import { useStore } from '../../ui/value-store.ts'
import styles from './console.module.css'
import { cancelRun, consoleRun } from './console-run.ts'
import { useConsoleSearch } from './console-search.ts'
import { type ConsoleRun, callCounts } from './console-state.ts'
import { exampleScripts } from './example-scripts.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import { enteredLimits } from './script-limits.ts'
import { texts } from './texts.ts'

interface ConsoleBarProps {
  readonly text: string
  readonly isRunning: boolean
  readonly names: ReadonlySet<string>
  readonly canRun: boolean
  readonly onRun: () => void
  readonly onText: (text: string) => void
}

const scriptsKey = ['console', 'scripts']
const noScripts: ScriptList = { folder: null, scripts: [] }

/** Run or cancel, the state of the run, and the scripts that can be opened or saved. */
export function ConsoleBar({ text, isRunning, names, canRun, onRun, onText }: ConsoleBarProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const [{ script: name }, go] = useConsoleSearch()
  const scripts = useQuery({ queryKey: scriptsKey, queryFn: ({ signal }) => loadScripts(backend, signal) })
  const list = scripts.data ?? noScripts
  const refusedWrite = useRefusal('PUT /api/scripts/{name}')
  // Without a folder the browser stores the scripts.
  const refusedSave = list.folder === null ? undefined : refusedWrite
  const refusedCall = useRefusal('POST /api/invocations')
  const [isSaving, setIsSaving] = useState(false)
  const [isLimiting, setIsLimiting] = useState(false)
  const hasOwnLimits = Object.keys(useStore(enteredLimits)).length > 0
  const [problem, setProblem] = useState<unknown>()

  // The URL may name a script: it is opened once, when the list is loaded.
  const opened = useRef(false)
  useEffect(() => {
    if (scripts.data === undefined || opened.current) return
    opened.current = true
    const found = scripts.data.scripts.find(each => each.name === name)
    if (found) onText(found.text)
  }, [scripts.data, name, onText])

  const change = async (next: Promise<ScriptList>, nextName: string | undefined) => {
    try {
      client.setQueryData(scriptsKey, await next)
      setProblem(undefined)
      go({ script: nextName })
    } catch (thrown) {
      setProblem(thrown)
    }
    setIsSaving(false)
  }

  return (
    <>
      <div className={join('row wrap', styles.bar)}>
        {isRunning ? (
          <Button look="danger" onClick={cancelRun} data-testid="script-cancel">
            <Square size={14} aria-hidden /> {commonTexts.cancel} <ShortcutKeys id="cancel" />
          </Button>
        ) : (
          <Button
            look="primary"
            disabled={!canRun}
            refused={refusedCall}
            onClick={onRun}
            data-testid="script-run"
          >
            <Play size={14} aria-hidden /> Run <ShortcutKeys id="call" />
          </Button>
        )}
        <RunState />
        <span className={join('row end', styles.tools)}>
          {name !== undefined && <code className={join('muted truncate', styles.name)}>{name}.sh</code>}
          <Button look="quiet" onClick={() => setIsLimiting(true)}>
            <Gauge size={14} aria-hidden /> {hasOwnLimits ? 'Limits (changed)' : 'Limits'}
          </Button>
          <Button
            look="quiet"
            disabled={text.trim() === ''}
            refused={refusedSave}
            onClick={() => setIsSaving(true)}
          >
            <Save size={14} aria-hidden /> {commonTexts.save}
          </Button>
          <ScriptMenu
            names={names}
            list={list}
            current={list.scripts.some(each => each.name === name) ? name : undefined}
            onOpen={(next, nextName) => {
              onText(next)
              go({ script: nextName })
            }}
            refused={refusedSave}
            onDelete={gone => void change(removeScript(backend, list, gone), undefined)}
            onDownload={() => saveFile(text, `${name ?? 'script'}.sh`)}
          />
        </span>
      </div>
      <ErrorNote error={problem} />
      {isLimiting && <LimitsDialog onClose={() => setIsLimiting(false)} />}
      {isSaving && (
        <SaveDialog
          onClose={() => setIsSaving(false)}
          folder={list.folder}
          taken={list.scripts.map(each => each.name)}
          name={name ?? ''}
          onSave={chosen => void change(saveScript(backend, list, chosen, text), chosen)}
        />
      )}
    </>
  )
}

/* Named scripts: files next to the configuration if the server has one, else in this browser's storage. */

const key = 'toolscope:console:scripts'

async function loadScripts(backend: Backend, signal: AbortSignal): Promise<ScriptList> {
  const list = await backend.request('GET /api/scripts', { signal })
  return list.folder !== null ? list : { folder: null, scripts: readStoredScripts() }
}

async function saveScript(
  backend: Backend,
  list: ScriptList,
  name: string,
  text: string,
): Promise<ScriptList> {
  if (list.folder !== null)
    return backend.request('PUT /api/scripts/{name}', { params: { name }, body: { text } })
  const scripts = [...readStoredScripts().filter(each => each.name !== name), { name, text }]
  return keep(scripts.sort((one, other) => (one.name < other.name ? -1 : 1)))
}

async function removeScript(backend: Backend, list: ScriptList, name: string): Promise<ScriptList> {
  if (list.folder !== null) return backend.request('DELETE /api/scripts/{name}', { params: { name } })
  return keep(readStoredScripts().filter(each => each.name !== name))
}

function keep(scripts: readonly SavedScript[]): ScriptList {
  storage.set(key, JSON.stringify(scripts))
  return { folder: null, scripts: readStoredScripts() }
}

const readStoredScripts = () => storedList(key, isScript)

function isScript(value: unknown): value is SavedScript {
  const { name, text } = (value ?? {}) as Partial<SavedScript>
  return isText(name) && isText(text)
}

interface ScriptMenuProps {
  readonly names: ReadonlySet<string>
  readonly list: ScriptList
  /** The name of the saved script that is open. */
  readonly current: string | undefined
  readonly onOpen: (text: string, name: string | undefined) => void
  readonly onDelete: (name: string) => void
  /** Why scripts cannot be deleted. */
  readonly refused: string | undefined
  readonly onDownload: () => void
}

/** Saved scripts and examples to open. */
function ScriptMenu({ names, list, current, refused, onOpen, onDelete, onDownload }: ScriptMenuProps) {
  const examples = exampleScripts.filter(({ needs }) => needs.every(name => names.has(name)))
  return (
    <Menu
      trigger={
        <Button look="quiet">
          Scripts <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {list.scripts.length > 0 && <MenuLabel>{list.folder ?? 'Saved in this browser'}</MenuLabel>}
      {list.scripts.map(({ name, text }) => (
        <MenuItem key={name} onSelect={() => onOpen(text, name)}>
          {name}.sh
        </MenuItem>
      ))}
      {list.scripts.length > 0 && <MenuRule />}
      <MenuLabel>Examples</MenuLabel>
      {examples.map(({ title, text }) => (
        <MenuItem key={title} onSelect={() => onOpen(text, undefined)}>
          {title}
        </MenuItem>
      ))}
      <MenuRule />
      <MenuItem onSelect={onDownload}>Download as a file</MenuItem>
      {current !== undefined && (
        <MenuItem refused={refused} onSelect={() => onDelete(current)}>
          Delete {current}.sh
        </MenuItem>
      )}
    </Menu>
  )
}

const words: Readonly<Record<ScriptEnding, string>> = {
  finished: 'exit',
  limit: 'ended at a limit',
  cancelled: texts.cancelled,
  syntax: 'not bash',
  broken: 'engine failed',
}

/** The state of the run: running with its time, or its exit code. */
function RunState() {
  const run = useStore(consoleRun)
  const end = run?.end
  return (
    <span className="row">
      <span className="visually-hidden" aria-live="polite">
        {end && `Script: ${endText(end)}`}
      </span>
      {run && (
        <>
          <RunBadge
            tone={end ? pickEndTone(end) : 'info'}
            text={end ? endText(end) : texts.running}
            testId="script-status"
            startedAt={run.pressedAt}
            durationMs={end?.durationMs}
          />
          <CallCounts trace={run.trace} />
        </>
      )}
    </span>
  )
}

function CallCounts({ trace }: Pick<ConsoleRun, 'trace'>) {
  const { called, notCalled } = callCounts(trace)
  const counts = [
    ...(called > 0 ? [plural(called, 'call')] : []),
    ...(notCalled > 0 ? [`${formatCount(notCalled)} not called`] : []),
  ]
  return counts.length > 0 && <span className="muted">{counts.join(' · ')}</span>
}

function endText({ ending, exitCode }: ScriptEnd): string {
  return ending === 'finished' ? `${words.finished} ${exitCode}` : `${words[ending]} · exit ${exitCode}`
}

function pickEndTone({ ending, exitCode }: ScriptEnd): Tone {
  if (ending === 'finished' && exitCode === 0) return 'ok'
  return ending === 'cancelled' ? 'warn' : 'bad'
}

interface SaveDialogProps {
  readonly onClose: () => void
  /** The folder of the file; null if the browser stores it. */
  readonly folder: string | null
  readonly taken: readonly string[]
  readonly name: string
  readonly onSave: (name: string) => void
}

/** Asks for the name of a script. */
function SaveDialog({ onClose, folder, taken, name: first, onSave }: SaveDialogProps) {
  const [name, setName] = useState(first)
  const problem = name === '' ? undefined : scriptNameProblem(name)
  return (
    <Dialog open onOpenChange={onClose} title="Save the script">
      <form
        onSubmit={event => {
          event.preventDefault()
          if (name !== '' && problem === undefined) onSave(name)
        }}
      >
        <label className={styles.field}>
          Name
          <input
            className="text-field"
            value={name}
            onChange={({ target }) => setName(target.value)}
            placeholder="nightly-check"
            aria-invalid={problem !== undefined}
            aria-describedby="script-name-note"
          />
        </label>
        <p id="script-name-note" className="muted">
          {problem ??
            (folder === null
              ? 'Saved in this browser, because there is no toolscope.json.'
              : `Saved as the file ${folder}/${name || '<name>'}.sh next to toolscope.json.`)}
          {problem === undefined && taken.includes(name) && ' It replaces the script with this name.'}
        </p>
        <DialogActions>
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button type="submit" look="primary" disabled={name === '' || problem !== undefined}>
            {commonTexts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
