import type { ScriptEnd, ScriptEnding } from '../../../core/script/trace.ts'
import type { Tone } from '../../ui/badge.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { RunBadge } from '../../ui/run-badge.tsx'
import { useStore } from '../../ui/store.ts'
import { consoleRun } from './console-run.ts'
import { type ConsoleRun, callCounts } from './console-state.ts'
import { texts } from './texts.ts'

const words: Readonly<Record<ScriptEnding, string>> = {
  finished: 'exit',
  limit: 'ended at a limit',
  cancelled: texts.cancelled,
  syntax: 'not bash',
  broken: 'engine failed',
}

/** The state of the run: running with its time, or its exit code. */
export function RunState() {
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
            tone={end ? toneOf(end) : 'info'}
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

function toneOf({ ending, exitCode }: ScriptEnd): Tone {
  if (ending === 'finished' && exitCode === 0) return 'ok'
  return ending === 'cancelled' ? 'warn' : 'bad'
}
