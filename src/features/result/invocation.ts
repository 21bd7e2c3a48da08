import type { CallEvent, EndedEvent, Failure, Validation } from '../../../core/call/invocation.ts'
import { addLog, type Logs, noLogs, withoutResult } from './logs.ts'

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** One call as the page sees it: running, or ended with everything that came back. */
export interface InvocationState {
  readonly ref: string
  /** The exact JSON text that was sent. */
  readonly inputText: string
  /** `performance.now()` when Call was pressed: the elapsed time counts from here. */
  readonly pressedAt: number
  readonly startedAt?: string
  readonly timeoutMs?: number
  /** The server's judgement of the input. */
  readonly inputValidation?: Validation
  readonly progress?: Progress
  /** Its place in line while too many calls run; 0 once it runs. */
  readonly position?: number
  readonly logs: Logs
  /** The server refused the request: nothing ran. */
  readonly isRefused?: boolean
  /** Absent while it runs. */
  readonly ending?: EndedEvent
}

export function startInvocation(ref: string, inputText: string, pressedAt: number): InvocationState {
  return { ref, inputText, pressedAt, logs: noLogs }
}

/** The state after one more event. Pure; nothing after the ending changes it. */
export function foldEvent(state: InvocationState, event: CallEvent): InvocationState {
  if (state.ending) return state
  switch (event.type) {
    case 'started':
      return {
        ...state,
        inputText: event.inputText,
        startedAt: event.startedAt,
        timeoutMs: event.timeoutMs,
      }
    case 'input-validation':
      return { ...state, inputValidation: event.validation }
    case 'queued':
      return { ...state, position: event.position }
    case 'stdout':
    case 'stderr':
      return { ...state, logs: addLog(state.logs, { stream: event.type, text: event.text }) }
    case 'progress': {
      const { type, ...progress } = event
      return { ...state, progress }
    }
    case 'result':
    case 'failure':
      return {
        ...state,
        ending: event,
        logs: event.raw === undefined ? state.logs : withoutResult(state.logs, event.raw),
      }
  }
}

export function foldEvents(state: InvocationState, events: Iterable<CallEvent>): InvocationState {
  let folded = state
  for (const event of events) folded = foldEvent(folded, event)
  return folded
}

/** An ending for a call that the page itself saw fail: aborted, refused, or cut off. */
export function localFailure(
  state: InvocationState,
  failure: Pick<Failure, 'reason' | 'message'> & Partial<Failure>,
  now: number,
): EndedEvent {
  return {
    type: 'failure',
    content: [],
    validation: { verdict: 'unchecked', issues: [] },
    timing: { startedAt: state.startedAt ?? '', durationMs: now - state.pressedAt },
    ...failure,
  }
}
