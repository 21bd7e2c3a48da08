import { useId, useState } from 'react'
import { defaultCallTimeoutMs, type OwnToolsMode, type serverEras } from '../../../core/api/call-settings.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { formatTimeLimit, parseTimeLimit } from '../../../core/text/duration.ts'
import type { AskMode } from '../../../core/tool/confirm-reason.ts'
import {
  type CallSettingsChange,
  describeKeeping,
  reportsProgress,
  useCallSettings,
} from '../../api/call-settings.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { findLimitProblem, TimeLimitField } from '../../ui/time-limit-field.tsx'
import styles from './source-page.module.css'

const askTexts: Readonly<Record<AskMode, string>> = {
  'each-call': 'Each time',
  once: 'Once per tool and window',
  never: 'Never',
}

/** How the tools of a source are called: their time limit, and when the page asks. Nothing if it cannot be changed. */
export function CallSettings({ source }: { readonly source: SourceState }) {
  const { changing, refused, isOffered } = useCallSettings(source)
  const {
    timeoutMs,
    progressResetsTimeout = true,
    askBeforeDestructive = 'each-call',
  } = source.callSettings ?? {}
  const limit = timeoutMs === undefined ? '' : formatTimeLimit(timeoutMs)
  // Undefined while the field shows the current limit.
  const [entered, setEntered] = useState<string>()
  const id = useId()
  if (!isOffered || !source.callable) return null
  const change = (settings: CallSettingsChange, onSuccess = () => setEntered(undefined)) =>
    changing.mutate(settings, { onSuccess })
  const text = entered ?? limit
  const isDisabled = refused !== undefined || changing.isPending
  return (
    <form
      className={join('stack', styles.calls)}
      aria-labelledby={`${id}-title`}
      onSubmit={event => {
        event.preventDefault()
        if (isDisabled || findLimitProblem(text) !== undefined) return
        change({ timeoutMs: parseTimeLimit(text) ?? undefined })
      }}
    >
      <h2 id={`${id}-title`}>Calls</h2>
      <div className={styles.limit}>
        <TimeLimitField
          label="Time limit"
          value={text}
          onChange={setEntered}
          placeholder={formatTimeLimit(defaultCallTimeoutMs)}
        />
        <Button type="submit" disabled={entered === undefined || entered === limit} refused={refused}>
          Set limit
        </Button>
      </div>
      {reportsProgress(source) && (
        <label className="row">
          <input
            type="checkbox"
            checked={progressResetsTimeout}
            disabled={isDisabled}
            onChange={({ target }) => change({ progressResetsTimeout: target.checked })}
          />
          Progress starts the limit again
        </label>
      )}
      <label className={join('row', styles.ask)}>
        Ask before destructive calls
        <select
          className="text-field"
          value={askBeforeDestructive}
          disabled={isDisabled}
          onChange={({ target }) => change({ askBeforeDestructive: target.value as AskMode })}
        >
          {Object.entries(askTexts).map(([mode, words]) => (
            <option key={mode} value={mode}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {reportsProgress(source) && <ServerSettings source={source} change={change} isDisabled={isDisabled} />}
      <p className="note">
        {describeKeeping(source)} Tools that LLM_MCP_NEED_CONFIRM names, or whose program asks, always ask.
      </p>
      <ErrorNote error={changing.error} />
    </form>
  )
}

const eraTexts: Readonly<Record<(typeof serverEras)[number], string>> = {
  auto: 'Automatic',
  legacy: 'Legacy (up to 2025-11-25)',
  modern: 'Modern (since 2026-07-28)',
}

const ownToolsTexts: Readonly<Record<OwnToolsMode, string>> = {
  hidden: 'No',
  also: 'Next to the tools behind them',
  only: 'Only these',
}

interface ServerSettingsProps {
  readonly source: SourceState
  readonly change: (settings: CallSettingsChange, onSuccess?: () => void) => void
  readonly isDisabled: boolean
}

/** The offer that an MCP server receives when it is opened. A change opens it again. */
function ServerSettings({ source, change, isDisabled }: ServerSettingsProps) {
  const { era = 'auto', sampling = true, roots = [], ownTools } = source.callSettings ?? {}
  const [entered, setEntered] = useState<string>()
  const setRoots = () => {
    if (entered === undefined) return
    const lines = entered.split('\n').map(line => line.trim())
    change({ roots: lines.filter(line => line !== '') }, () => setEntered(undefined))
  }
  return (
    <>
      <label className={join('row', styles.ask)}>
        Era of MCP
        <select
          className="text-field"
          value={era}
          disabled={isDisabled}
          onChange={({ target }) => change({ era: target.value as typeof era })}
        >
          {Object.entries(eraTexts).map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(source.foundBy !== undefined || ownTools !== undefined) && (
        <label className={join('row', styles.ask)}>
          Show the server’s own tools
          <select
            className="text-field"
            value={ownTools ?? 'hidden'}
            disabled={isDisabled}
            onChange={({ target }) => change({ ownTools: target.value as OwnToolsMode })}
          >
            {Object.entries(ownToolsTexts).map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={sampling}
          disabled={isDisabled}
          onChange={({ target }) => change({ sampling: target.checked })}
        />
        It may ask for an answer of a language model (sampling), which you write
      </label>
      <label className="stack">
        Folders that it receives (roots), one a line
        <textarea
          className="text-field"
          rows={2}
          value={entered ?? roots.join('\n')}
          placeholder="none"
          disabled={isDisabled}
          onChange={({ target }) => setEntered(target.value)}
          onBlur={setRoots}
        />
      </label>
      <p className="note">A change of these opens the source again; its running calls end.</p>
    </>
  )
}
