import { Timer } from 'lucide-react'
import { useState } from 'react'
import { defaultCallTimeoutMs } from '../../../core/api/call-settings.ts'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { formatTimeLimit, longestCallMs, parseTimeLimit } from '../../../core/text/duration.ts'
import { getTaskSupport } from '../../../core/tool/task.ts'
import { describeKeeping, reportsProgress, useCallSettings } from '../../api/call-settings.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { findLimitProblem, TimeLimitField } from '../../ui/time-limit-field.tsx'
import { createStore, useStore } from '../../ui/value-store.ts'
import styles from './tool-pane.module.css'

type LimitedTool = Pick<ToolDetail, 'ref' | 'name' | 'source' | 'extra'>

interface ToolOptions {
  readonly timeoutMs?: number
  /** Whether the server is asked to make a task of each call. */
  readonly asTask?: boolean
}

/** The options of single tools, by reference, until this window is reloaded. */
const optionsOfTools = createStore<Readonly<Record<string, ToolOptions>>>({})

/** Returns the options of a call that were set for this tool in this window. */
export function limitOptions(ref: string, options = optionsOfTools.get()): ToolOptions {
  return options[ref] ?? {}
}

/** Like `limitOptions`, for a component: it renders again when the limit changes. */
export function useLimitOptions(ref: string) {
  return limitOptions(ref, useStore(optionsOfTools))
}

function setOptionsOfTool(
  ref: string,
  options: { readonly [Key in keyof ToolOptions]: ToolOptions[Key] | undefined },
) {
  optionsOfTools.set({ ...optionsOfTools.get(), [ref]: withoutUndefined(options) })
}

/** The time limit of the next call of a tool, as a button that changes it. */
export function TimeLimit({ tool }: { readonly tool: LimitedTool }) {
  const { data: sources = [] } = useSources()
  const source = sources.find(({ name }) => name === tool.source)
  const { timeoutMs: own, asTask = false } = useLimitOptions(tool.ref)
  const [isOpen, setOpen] = useState(false)
  const ofSource = source?.callSettings?.timeoutMs ?? defaultCallTimeoutMs
  const limit = formatTimeLimit(own ?? ofSource)
  return (
    <>
      <Button
        look="quiet"
        className={styles.limit}
        data-testid="time-limit"
        aria-label={`Time limit: ${limit}`}
        title="Time limit of the call"
        onClick={() => setOpen(true)}
      >
        <Timer size={14} aria-hidden /> {limit}
        {asTask && ', as a task'}
      </Button>
      {isOpen && (
        <TimeLimitDialog
          tool={tool}
          source={source}
          own={own}
          asTask={asTask}
          ofSource={ofSource}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface TimeLimitDialogProps {
  readonly tool: LimitedTool
  readonly source: SourceState | undefined
  /** Milliseconds; set for this tool in this window. */
  readonly own: number | undefined
  readonly asTask: boolean
  /** Milliseconds; of all other tools of the source. */
  readonly ofSource: number
  readonly onClose: () => void
}

/** Changes the time limit of one tool in this window, or of all tools of its source. */
function TimeLimitDialog({ tool, source, own, asTask, ofSource, onClose }: TimeLimitDialogProps) {
  const { changing, refused, isOffered } = useCallSettings(source)
  const [text, setText] = useState(formatTimeLimit(own ?? ofSource))
  const [isForSource, setForSource] = useState(false)
  const [isTask, setTask] = useState(asTask)
  const { progressResetsTimeout = true } = source?.callSettings ?? {}
  const [resets, setResets] = useState(progressResetsTimeout)
  const hasProgress = source !== undefined && reportsProgress(source)
  const timeoutMs = parseTimeLimit(text) ?? undefined
  const isWrong = findLimitProblem(text) !== undefined
  const set = () => {
    if (!isForSource) {
      const isOwn = own !== undefined || timeoutMs !== ofSource
      setOptionsOfTool(tool.ref, { timeoutMs: isOwn ? timeoutMs : undefined, asTask: isTask || undefined })
      onClose()
      return
    }
    changing.mutate(hasProgress ? { timeoutMs, progressResetsTimeout: resets } : { timeoutMs }, {
      onSuccess() {
        setOptionsOfTool(tool.ref, { timeoutMs: undefined, asTask: isTask || undefined })
        onClose()
      },
    })
  }
  const longest = formatTimeLimit(longestCallMs(timeoutMs ?? ofSource))
  return (
    <Dialog open onOpenChange={onClose} title="Time limit of calls">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (!isWrong && !changing.isPending) set()
        }}
      >
        <TimeLimitField
          label="Time limit"
          value={text}
          onChange={setText}
          placeholder={formatTimeLimit(isForSource ? defaultCallTimeoutMs : ofSource)}
          note={`500ms, 60s, 5m or 1h.${hasProgress && resets ? ` Progress starts it again, up to ${longest} in all.` : ''}`}
          autoFocus
        />
        <fieldset className={styles.scope}>
          <legend>For</legend>
          <label>
            <input type="radio" name="scope" checked={!isForSource} onChange={() => setForSource(false)} />
            {tool.name}, in this window
          </label>
          {isOffered && (
            <label title={refused}>
              <input
                type="radio"
                name="scope"
                checked={isForSource}
                disabled={refused !== undefined}
                onChange={() => setForSource(true)}
              />
              all tools of {tool.source}
            </label>
          )}
        </fieldset>
        {isForSource && source && (
          <>
            {hasProgress && (
              <label className="row">
                <input type="checkbox" checked={resets} onChange={event => setResets(event.target.checked)} />
                Progress starts the limit again
              </label>
            )}
            <p className="note">{describeKeeping(source)}</p>
          </>
        )}
        {getTaskSupport(tool) === 'optional' && (
          <label
            className="row"
            title="The server works on if this page is closed; the history gets the result"
          >
            <input type="checkbox" checked={isTask} onChange={({ target }) => setTask(target.checked)} />
            Run {tool.name} as a task of its server
          </label>
        )}
        {getTaskSupport(tool) === 'required' && (
          <p className="note">Its server makes a task of each call, and works on after a time limit.</p>
        )}
        <ErrorNote error={changing.error} />
        <DialogActions>
          {own !== undefined && (
            <Button
              look="quiet"
              onClick={() => {
                setOptionsOfTool(tool.ref, { timeoutMs: undefined, asTask: isTask || undefined })
                onClose()
              }}
            >
              Reset to {formatTimeLimit(ofSource)}
            </Button>
          )}
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button type="submit" look="primary" disabled={isWrong || changing.isPending}>
            Set
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
