import type { TraceEntry } from '../../core/script/trace.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import { ConsolePage } from '../features/console/console-page.tsx'
import { foldEvents, startInvocation } from '../features/result/invocation.ts'
import { ResultPane } from '../features/result/result-pane.tsx'

/** The page at `/console`. It shows the calls of its trace as the workbench shows a call. */
export function ConsoleRoute() {
  return <ConsolePage renderCall={renderCall} />
}

function renderCall(entry: TraceEntry, events: readonly CallEvent[], pressedAt: number) {
  const invocation = foldEvents(startInvocation(entry.ref, entry.input, pressedAt), events)
  return <ResultPane key={entry.id} invocation={invocation} tool={{ name: entry.command }} />
}
