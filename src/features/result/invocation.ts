import type { StoredInvocation } from '../../../core/api/history.ts'
import type { CallEvent, EndedEvent, Failure, Validation } from '../../../core/tool/invocation.ts'
import type { AskedQuestion, Question } from '../../../core/tool/question.ts'
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
  /** The server's name for the call. */
  readonly id?: string
  readonly startedAt?: string
  readonly timeoutMs?: number
  /** The server's judgement of the input. */
  readonly inputValidation?: Validation
  readonly progress?: Progress
  /** Its place in line while too many calls run; 0 once it runs. */
  readonly position?: number
  /** In the order in which they came. */
  readonly questions: readonly AskedQuestion[]
  readonly logs: Logs
  /** The server refused the request: nothing ran. */
  readonly isRefused?: boolean
  /** Absent while it runs. */
  readonly ending?: EndedEvent
  /** It was read from the history: this page did not make the call. */
  readonly isStored?: boolean
  /** The last result, which was read from the history after a reload. */
  readonly earlier?: { readonly startedAt: string; readonly isCut: boolean }
}

/** A call of the history as the page saw it when it was made; without an ending where none was recorded. */
export function storedInvocation({ ref, inputText, events }: StoredInvocation): InvocationState {
  return { ...foldEvents(startInvocation(ref, inputText, 0), events), isStored: true }
}

/** The same for the place beside the form; undefined where no ending was recorded. */
export function earlierInvocation(call: StoredInvocation): InvocationState | undefined {
  const invocation = storedInvocation(call)
  const earlier = { startedAt: call.startedAt, isCut: call.cut.includes('result') }
  return invocation.ending && { ...invocation, earlier }
}

export function startInvocation(ref: string, inputText: string, pressedAt: number): InvocationState {
  return { ref, inputText, pressedAt, questions: [], logs: noLogs }
}

/** The state after one more event. Pure; nothing after the ending changes it. */
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

/** The first question that waits for an answer; none once the call has ended. */
export function openQuestion({ ending, questions }: InvocationState): Question | undefined {
  return ending ? undefined : questions.find(({ answer }) => answer === undefined)?.question
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
