import { joinOutput } from '../../../core/script/protocol.ts'
import type { ScriptEnd, ScriptEvent, TraceEntry } from '../../../core/script/trace.ts'
import { type CallState, emptyCall, foldEvents } from '../../../core/tool/call-state.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { isText, storage, storedList } from '../../ui/storage.ts'

export interface OutputPart {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The state of a run for the page: a pure fold over the run's events. */
export interface ConsoleRun {
  readonly script: string
  /** `performance.now()` when Run was pressed. */
  readonly pressedAt: number
  readonly output: readonly OutputPart[]
  /** Output that is not final yet; `output` replaces it at the end. */
  readonly drafts: readonly OutputPart[]
  readonly trace: readonly TraceEntry[]
  /** The state of each call, by the id of its trace entry. */
  readonly calls: ReadonlyMap<number, CallState>
  /** Absent while it runs. */
  readonly end?: ScriptEnd
}

export function startConsoleRun(script: string, pressedAt: number): ConsoleRun {
  return { script, pressedAt, output: [], drafts: [], trace: [], calls: new Map() }
}

/** Counts the called and the refused uses of tools; a dry run counts as neither. */
export function callCounts(trace: readonly TraceEntry[]): {
  readonly called: number
  readonly notCalled: number
} {
  const notCalled = trace.filter(({ status }) => status === 'refused').length
  const dryRuns = trace.filter(({ status }) => status === 'dry-run').length
  return { called: trace.length - notCalled - dryRuns, notCalled }
}

/** Returns the state after more events. */
export function foldRun(run: ConsoleRun, events: readonly ScriptEvent[]): ConsoleRun {
  if (events.length === 0) return run
  const output = [...run.output]
  const drafts = [...run.drafts]
  const trace = [...run.trace]
  const added = new Map<number, CallEvent[]>()
  let { end } = run
  for (const event of events) {
    if (event.type === 'output') addPart(output, event)
    else if (event.type === 'draft') addPart(drafts, event)
    else if (event.type === 'trace') {
      const at = trace.findIndex(entry => entry.id === event.entry.id)
      if (at < 0) trace.push(event.entry)
      else trace[at] = event.entry
    } else if (event.type === 'call') addTo(added, event.id, event.event)
    else end = event.end
  }
  const calls = new Map(run.calls)
  for (const [id, events] of added) calls.set(id, foldEvents(calls.get(id) ?? emptyCall, events))
  return {
    ...run,
    output,
    // The server sends every draft again as output at the end.
    drafts: end ? [] : drafts,
    trace,
    calls,
    ...(end ? { end } : {}),
  }
}

/**
 * Adds output, joined with the last part of the same stream: many small writes stay one part. Output after an error
 * begins a new line.
 */
function addPart(parts: OutputPart[], { stream, text }: OutputPart): void {
  const last = parts.at(-1)
  if (last?.stream === stream) parts[parts.length - 1] = { stream, text: joinOutput(last.text, text) }
  else {
    if (last?.stream === 'stderr' && !last.text.endsWith('\n'))
      parts[parts.length - 1] = { ...last, text: `${last.text}\n` }
    parts.push({ stream, text })
  }
}

function addTo(calls: Map<number, CallEvent[]>, id: number, event: CallEvent): void {
  const list = calls.get(id)
  if (list) list.push(event)
  else calls.set(id, [event])
}

/** The scripts of earlier runs, newest last, stored by the browser. */
const historyKey = 'toolscope:console:history'
const maxScripts = 100
/** Longer scripts are not kept: the user can save them under a name. */
const maxCharacters = 20_000

export const readHistory = () => storedList(historyKey, isText)

/** Adds a script; a known one moves to the end. */
export function addToHistory(script: string): void {
  if (script.trim() === '' || script.length > maxCharacters) return
  const next = [...readHistory().filter(each => each !== script), script].slice(-maxScripts)
  storage.set(historyKey, JSON.stringify(next))
}

/** Returns the script `step` places from `at` (`history.length` is the current text); undefined beyond the ends. */
export function stepHistory(
  history: readonly string[],
  at: number,
  step: -1 | 1,
): { readonly at: number; readonly text: string | undefined } | undefined {
  const next = at + step
  if (next < 0 || next > history.length) return undefined
  return { at: next, text: history[next] }
}
