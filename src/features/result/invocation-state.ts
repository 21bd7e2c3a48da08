import type { StoredInvocation } from '../../../core/api/history.ts'
import { type CallState, emptyCall, foldEvents, foldStoredEvents } from '../../../core/tool/call-state.ts'
import type { CallEvent, EndedEvent, Failure } from '../../../core/tool/invocation.ts'

/** One call from the page's view: running, or ended with its result. */
export interface InvocationState extends CallState {
  readonly ref: string
  /** The exact JSON text that was sent. */
  readonly inputText: string
  /** `performance.now()` when Call was pressed: the elapsed time counts from here. */
  readonly pressedAt: number
  /** Whether the server refused the request: nothing ran. */
  readonly isRefused?: boolean
  /** Whether it was read from the history: this page did not make the call. */
  readonly isStored?: boolean
  /** Present if it is the last result, read from the history after a reload. */
  readonly earlier?: { readonly startedAt: string; readonly isCut: boolean }
}

/** Returns the state of a call of the history; without an ending if none was recorded. */
export function storedInvocation({ ref, inputText, events }: StoredInvocation): InvocationState {
  return { ...withCall(startInvocation(ref, inputText, 0), foldStoredEvents(events)), isStored: true }
}

/** Returns the same for the pane next to the form; undefined if no ending was recorded. */
export function earlierInvocation(call: StoredInvocation): InvocationState | undefined {
  const invocation = storedInvocation(call)
  const earlier = { startedAt: call.startedAt, isCut: call.cut.includes('result') }
  return invocation.ending && { ...invocation, earlier }
}

export function startInvocation(ref: string, inputText: string, pressedAt: number): InvocationState {
  return { ref, inputText, pressedAt, ...emptyCall }
}

/** Returns the state after more events of the call. */
export function addEvents(invocation: InvocationState, events: Iterable<CallEvent>): InvocationState {
  return withCall(invocation, foldEvents(invocation, events))
}

/** Returns the invocation with the state of its call. */
export function withCall(invocation: InvocationState, call: CallState): InvocationState {
  return { ...invocation, ...call, inputText: call.started?.inputText ?? invocation.inputText }
}

/** Returns an ending for a call whose failure the page noticed itself: aborted, refused, or cut off. */
export function localFailure(
  state: InvocationState,
  failure: Pick<Failure, 'reason' | 'message'> & Partial<Failure>,
  now: number,
): EndedEvent {
  return {
    type: 'failure',
    content: [],
    validation: { verdict: 'unchecked', issues: [] },
    timing: { startedAt: state.started?.startedAt ?? '', durationMs: now - state.pressedAt },
    ...failure,
  }
}
