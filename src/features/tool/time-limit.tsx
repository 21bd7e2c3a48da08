import { Timer } from 'lucide-react'
import { useState } from 'react'
import { defaultCallTimeoutMs } from '../../../core/api/call-settings.ts'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { formatTimeLimit, longestCallMs, parseTimeLimit } from '../../../core/text/duration.ts'
import { describeKeeping, reportsProgress, useCallSettings } from '../../api/call-settings.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { findLimitProblem, TimeLimitField } from '../../ui/time-limit-field.tsx'
import { createStore, useStore } from '../../ui/value-store.ts'
import styles from './tool-pane.module.css'

type LimitedTool = Pick<ToolDetail, 'ref' | 'name' | 'source'>

/** Milliseconds by reference: the limits that were set for single tools, until this window is reloaded. */
const limitsOfTools = createStore<Readonly<Record<string, number>>>({})

/** Returns the options of a call for the limit that was set for this tool in this window. */
export function limitOptions(ref: string, limits = limitsOfTools.get()): { readonly timeoutMs?: number } {
  const timeoutMs = limits[ref]
  return timeoutMs === undefined ? {} : { timeoutMs }
}

/** Like `limitOptions`, for a component: it renders again when the limit changes. */
export function useLimitOptions(ref: string) {
  return limitOptions(ref, useStore(limitsOfTools))
}

function setLimitOfTool(ref: string, timeoutMs: number | undefined): void {
  const { [ref]: _before, ...others } = limitsOfTools.get()
  limitsOfTools.set(timeoutMs === undefined ? others : { ...others, [ref]: timeoutMs })
}

/** The time limit of the next call of a tool, as a button that changes it. */
export function TimeLimit({ tool }: { readonly tool: LimitedTool }) {
  const { data: sources = [] } = useSources()
  const source = sources.find(({ name }) => name === tool.source)
  const { timeoutMs: own } = useLimitOptions(tool.ref)
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
      </Button>
      {isOpen && (
        <TimeLimitDialog
          tool={tool}
          source={source}
          own={own}
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
  /** Milliseconds; of all other tools of the source. */
  readonly ofSource: number
  readonly onClose: () => void
}

/** Changes the time limit of one tool in this window, or of all tools of its source. */
function TimeLimitDialog({ tool, source, own, ofSource, onClose }: TimeLimitDialogProps) {
  const { changing, refused, isOffered } = useCallSettings(source)
  const [text, setText] = useState(formatTimeLimit(own ?? ofSource))
  const [isForSource, setForSource] = useState(false)
  const { progressResetsTimeout = true } = source?.callSettings ?? {}
  const [resets, setResets] = useState(progressResetsTimeout)
  const hasProgress = source !== undefined && reportsProgress(source)
  const timeoutMs = parseTimeLimit(text) ?? undefined
  const isWrong = findLimitProblem(text) !== undefined
  const set = () => {
    if (!isForSource) {
      setLimitOfTool(tool.ref, timeoutMs)
      onClose()
      return
    }
    changing.mutate(hasProgress ? { timeoutMs, progressResetsTimeout: resets } : { timeoutMs }, {
      onSuccess() {
        setLimitOfTool(tool.ref, undefined)
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
        <ErrorNote error={changing.error} />
        <DialogActions>
          {own !== undefined && (
            <Button
              look="quiet"
              onClick={() => {
                setLimitOfTool(tool.ref, undefined)
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
