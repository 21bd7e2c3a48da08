/** Failures of calls, and the endings of a program's run that every process-based source shares. */

import { withoutUndefined } from '../../core/json/json.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import type {
  ContentBlock,
  Ending,
  FailureReason,
  SessionEvent,
  ValidationIssue,
} from '../../core/tool/invocation.ts'
import { maxArgumentBytes, type RunResult } from '../process/process.ts'
import type { EndedTree } from '../process/process-tree.ts'

export type FailureEvent = Extract<SessionEvent, { type: 'failure' }>

/** The cause of a program's failure, read from its output. */
export interface FailureCause {
  /** `exit` unless given. */
  readonly reason?: FailureReason
  readonly message: string
  readonly hint?: string
  readonly issues?: readonly ValidationIssue[]
  /** Absent if unknown. */
  readonly issuesOf?: 'input' | 'output'
}

/** Creates a failure without content. */
export function failure(reason: FailureReason, message: string, hint?: string): FailureEvent {
  return withoutUndefined({ type: 'failure', reason, content: [], message, hint })
}

/** Returns how a run ended by itself: `exit code 1`, `ended by SIGKILL`. */
export const exitText = ({ exitCode, signal }: RunResult) =>
  exitCode === undefined ? `ended by ${signal}` : `exit code ${exitCode}`

const maxMessageCharacters = 300

/** Returns the exit and the first line of stderr; for a parser's `error:` (argc, clap) the whole paragraph. */
export function exitMessage(stderr: string, exit: string): string {
  const [paragraph = ''] = stderr.trim().split(/\n\s*\n/, 1)
  const lines = paragraph.split('\n').map(line => line.trim())
  const said = /^error: /i.test(lines[0] ?? '') ? lines.join(' ') : lines[0]
  return said ? `${exit}: ${said.slice(0, maxMessageCharacters)}` : `${exit}, nothing on stderr`
}

/** Returns a failure if the input is too long for one argument of a program, else null. */
export function refuseLongInput(text: string, hint: string): FailureEvent | null {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxArgumentBytes) return null
  const [given, limit] = [bytes, maxArgumentBytes].map(count => count.toLocaleString('en'))
  return failure('spawn', `The input is ${given} bytes; one argument can hold ${limit}.`, hint)
}

/** Returns the output so far as text, so that no output is lost. */
export function readPartialOutput(result: RunResult): Ending {
  const content: ContentBlock[] = result.stdout === '' ? [] : [{ type: 'text', text: result.stdout }]
  return {
    content,
    ...(result.stdout === '' ? {} : { raw: result.stdout }),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
  }
}

/** The hint for a call that was cancelled. For one that took too long, calls/call.ts names the limit. */
export const cancelledHint = 'Call again when you are ready.'

const earlyTexts: Record<Exclude<RunResult['end'], 'exit'>, Pick<FailureCause, 'message' | 'hint'>> = {
  timeout: { message: '' },
  cancelled: {
    message: 'Cancelled.',
    hint: cancelledHint,
  },
  'too-large': {
    message: 'The program printed more than the output limit; the output before that is kept.',
    hint: 'Ask the tool for less.',
  },
  spawn: {
    message: 'The program could not be started.',
    hint: 'Check that the file is still there and executable.',
  },
}

/** Describes which processes were ended. It claims only what was verified. */
export function treeText({ ended, left, isVerified }: EndedTree): string {
  if (!isVerified) return 'Could not verify that all processes of the program have ended.'
  const count = (number: number) => (number === 1 ? '1 process' : `${number} processes`)
  const gone = ended === 0 ? 'The program had ended already.' : `Ended ${count(ended)}.`
  return left.length === 0 ? gone : `${gone} Could not end ${count(left.length)}: ${left.join(', ')}.`
}

/** Returns the failure for a run that did not end by itself. */
export function endedEarly(result: RunResult): FailureEvent {
  const { end, stderr, signal, spawnError: system, tree } = result
  const reason = end === 'exit' ? 'spawn' : end
  const { message, hint } = earlyTexts[reason]
  const tooBig = system?.code === 'E2BIG'
  return {
    type: 'failure',
    reason,
    ...readPartialOutput(result),
    message: [
      ...(message === '' ? [] : [message]),
      ...(system ? [`${system.code}: ${system.message}`] : []),
      ...(tree ? [treeText(tree)] : []),
    ].join(' '),
    ...withoutUndefined({
      hint: tooBig ? 'The input is too long for one argument of a program; make it smaller.' : hint,
      stderr: stderr || undefined,
      signal,
    }),
  }
}

/** Returns the failure for a run that ended by itself with an error. */
export function failedRun(result: RunResult, cause: FailureCause): SessionEvent {
  const { reason = 'exit', message, hint, issues, issuesOf } = cause
  const { stderr, signal } = result
  return {
    type: 'failure',
    reason,
    ...readPartialOutput(result),
    ...withoutUndefined({ message, hint, issues, issuesOf, stderr: stderr || undefined, signal }),
  }
}

/** A call that needs the list of its connection, which another connection has replaced. */
export const listNotRead = failure(
  'not-approved',
  'Not called. The connection was lost while its list was read to compare it with its pin.',
)

/** A call that is refused because its tool or its source is not as it was approved. @param reason one sentence */
export const notApproved = (reason: string, source: string): FailureEvent =>
  failure(
    'not-approved',
    `Not called. ${reason}`,
    `A person must compare it with what was approved: toolscope pin --check, or the page of the source ${plainLine(source)}.`,
  )

/** Returns a failure with the end of the log, unless it has one. */
export function withStderr(event: FailureEvent, stderr: string): FailureEvent {
  return stderr === '' || event.stderr !== undefined ? event : { ...event, stderr }
}
