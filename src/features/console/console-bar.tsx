import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Gauge, Play, Save, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ScriptList } from '../../../core/api/scripts.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useStore } from '../../ui/store.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './console-bar.module.css'
import { cancelRun } from './console-run.ts'
import { useConsoleSearch } from './console-search.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import { RunState } from './run-state.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { loadScripts, removeScript, saveScript } from './saved-scripts.ts'
import { enteredLimits } from './script-limits.ts'
import { ScriptMenu } from './script-menu.tsx'

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
  // Without a folder the browser keeps them.
  const refusedSave = list.folder === null ? undefined : refusedWrite
  const refusedCall = useRefusal('POST /api/invocations')
  const [isSaving, setIsSaving] = useState(false)
  const [isLimiting, setIsLimiting] = useState(false)
  const hasOwnLimits = Object.keys(useStore(enteredLimits)).length > 0
  const [problem, setProblem] = useState<unknown>()

  // The address may name a script: it is opened once, when the list is there.
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
