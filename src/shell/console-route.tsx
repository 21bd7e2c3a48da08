import type { TraceEntry } from '../../core/script/trace.ts'
import type { CallState } from '../../core/tool/call-state.ts'
import { ConsolePage } from '../features/console/console-page.tsx'
import { startInvocation, withCall } from '../features/result/invocation-state.ts'
import { ResultPane } from '../features/result/result-pane.tsx'

/** The page at `/console`. It shows the calls of its trace as the workbench shows a call. */
export function ConsoleRoute() {
  return <ConsolePage renderCall={renderCall} />
}

function renderCall(entry: TraceEntry, call: CallState, pressedAt: number) {
  const invocation = withCall(startInvocation(entry.ref, entry.input, pressedAt), call)
  return <ResultPane key={entry.id} invocation={invocation} tool={{ name: entry.command }} />
}
