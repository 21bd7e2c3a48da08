/** How a call ended: one outcome, in the same words for the page, the history, the command line and the bridge. */
import { AppError, exitCodes } from '../errors.ts'
import type { CallEvent, EndedEvent, FailureReason, ValidationVerdict } from './invocation.ts'

/** `ok`, the failure reason, or `unfinished`: the call still runs, or Toolscope was killed before it ended. */
export type InvocationOutcome = 'ok' | 'unfinished' | FailureReason

interface OutcomeFacts {
  readonly label: string
  readonly tone: 'ok' | 'warn' | 'bad'
  /** Whether the tool itself answered: its answer can be compared with another one. */
  readonly isAnswer: boolean
  /** The HTTP status of the bridge's answer. An error that the tool itself reports (`isError`) is answered with 200. */
  readonly httpStatus: 200 | 403 | 404 | 500 | 502 | 504
  readonly exitCode: (typeof exitCodes)[keyof typeof exitCodes]
}

const failed = { tone: 'bad', isAnswer: false, httpStatus: 502, exitCode: exitCodes.toolFailed } as const

export const outcomes: Readonly<Record<InvocationOutcome, OutcomeFacts>> = {
  ok: { label: 'done', tone: 'ok', isAnswer: true, httpStatus: 200, exitCode: exitCodes.fine },
  unfinished: { ...failed, label: 'unfinished', tone: 'warn' },
  exit: { ...failed, label: 'failed', isAnswer: true, httpStatus: 500 },
  timeout: { ...failed, label: 'timed out', httpStatus: 504 },
  cancelled: { ...failed, label: 'cancelled', tone: 'warn', httpStatus: 500 },
  'too-large': { ...failed, label: 'too large' },
  spawn: { ...failed, label: 'could not start' },
  network: { ...failed, label: 'connection failed' },
  'sign-in-needed': { ...failed, label: 'sign-in needed', exitCode: exitCodes.signInNeeded },
  'tool-error': { ...failed, label: 'tool error', isAnswer: true, httpStatus: 500 },
  'bad-output': { ...failed, label: 'bad output', isAnswer: true },
  'not-found': { ...failed, label: 'not found', httpStatus: 404 },
  'not-approved': {
    ...failed,
    label: 'not approved',
    tone: 'warn',
    httpStatus: 403,
    exitCode: exitCodes.breaking,
  },
}

/** The parts of an ending that decide its outcome; only a failure has a reason. */
interface EndingFacts {
  readonly reason?: FailureReason | undefined
  readonly isError?: boolean | undefined
}

/** Returns the outcome of a call that has ended: `tool-error` for a result that the tool itself calls an error. */
export function toOutcome({ reason, isError }: EndingFacts): Exclude<InvocationOutcome, 'unfinished'> {
  return reason ?? (isError === true ? 'tool-error' : 'ok')
}

/** The known facts about a call's end. */
export interface CallEnd {
  readonly outcome: InvocationOutcome
  readonly verdict: ValidationVerdict
}

interface Details {
  /** The number of issues in the output, if known. */
  readonly issueCount?: number | undefined
  /** The exit code of the program that gave the output. */
  readonly exitCode?: number | undefined
}

/** Returns the outcome in a few words with its tone: `done, exit 0`, `output invalid (3)`, `timed out`. */
export function describeEnd(
  { outcome, verdict }: CallEnd,
  details: Details = {},
): { readonly text: string; readonly tone: OutcomeFacts['tone'] } {
  if (outcome === 'ok' && verdict === 'invalid') return { text: outputWords(verdict, details), tone: 'warn' }
  const { label, tone } = outcomes[outcome]
  return { text: details.exitCode === undefined ? label : `${label}, exit ${details.exitCode}`, tone }
}

/**
 * Returns the verdict on an output, for the page and the command line: `output valid`, `output invalid (3)`, `exit 0 ·
 * output invalid (3)`, `no output schema`.
 */
export function outputWords(verdict: ValidationVerdict, { issueCount = 0, exitCode }: Details = {}): string {
  if (verdict === 'no schema') return 'no output schema'
  const exit = exitCode === undefined ? '' : `exit ${exitCode} · `
  return `${exit}output ${verdict}${issueCount > 0 ? ` (${issueCount})` : ''}`
}

/** Returns the ending of a call. @param onEvent receives the events before it */
export async function awaitEnding(
  events: AsyncIterable<CallEvent>,
  onEvent?: (event: Exclude<CallEvent, EndedEvent>) => unknown,
): Promise<EndedEvent> {
  for await (const event of events) {
    if (event.type === 'result' || event.type === 'failure') return event
    await onEvent?.(event)
  }
  throw new AppError('internal', 'a call ended without a result')
}
