import type { StoredInvocation } from '../../../core/api/history.ts'
import type { CallEvent, EndedEvent, Failure, Validation } from '../../../core/tool/invocation.ts'
import type { AskedQuestion, Question } from '../../../core/tool/question.ts'
import { addLog, type Logs, noLogs, withoutResult } from './logs.ts'

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** One call from the page's view: running, or ended with its result. */
export interface InvocationState {
  readonly ref: string
  /** The exact JSON text that was sent. */
  readonly inputText: string
  /** `performance.now()` when Call was pressed: the elapsed time counts from here. */
  readonly pressedAt: number
  /** The server's id of the call. */
  readonly id?: string
  readonly startedAt?: string
  readonly timeoutMs?: number
  /** The server's verdict on the input. */
  readonly inputValidation?: Validation
  readonly progress?: Progress
  /** Its position in the queue while too many calls run; 0 once it runs. */
  readonly position?: number
  /** In the order in which they were asked. */
  readonly questions: readonly AskedQuestion[]
  readonly logs: Logs
  /** Whether the server refused the request: nothing ran. */
  readonly isRefused?: boolean
  /** Absent while it runs. */
  readonly ending?: EndedEvent
  /** Whether it was read from the history: this page did not make the call. */
  readonly isStored?: boolean
  /** Present if it is the last result, read from the history after a reload. */
  readonly earlier?: { readonly startedAt: string; readonly isCut: boolean }
}

/** Returns the state of a call of the history; without an ending if none was recorded. */
export function storedInvocation({ ref, inputText, events }: StoredInvocation): InvocationState {
  return { ...foldEvents(startInvocation(ref, inputText, 0), events), isStored: true }
}

/** Returns the same for the pane next to the form; undefined if no ending was recorded. */
export function earlierInvocation(call: StoredInvocation): InvocationState | undefined {
  const invocation = storedInvocation(call)
  const earlier = { startedAt: call.startedAt, isCut: call.cut.includes('result') }
  return invocation.ending && { ...invocation, earlier }
}

export function startInvocation(ref: string, inputText: string, pressedAt: number): InvocationState {
  return { ref, inputText, pressedAt, questions: [], logs: noLogs }
}

/** Returns the state after one more event. Pure; events after the ending change nothing. */
function foldEvent(state: InvocationState, event: CallEvent): InvocationState {
  if (state.ending) return state
  switch (event.type) {
    case 'started':
      return {
        ...state,
        id: event.id,
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
    case 'question':
      return { ...state, questions: [...state.questions, { question: event.question }] }
    case 'answer':
      return {
        ...state,
        questions: state.questions.map(asked =>
          asked.question.id === event.id ? { ...asked, answer: event.answer } : asked,
        ),
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

/** Returns the first question that waits for an answer; undefined once the call has ended. */
export function openQuestion({ ending, questions }: InvocationState): Question | undefined {
  return ending ? undefined : questions.find(({ answer }) => answer === undefined)?.question
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
    timing: { startedAt: state.startedAt ?? '', durationMs: now - state.pressedAt },
    ...failure,
  }
}
