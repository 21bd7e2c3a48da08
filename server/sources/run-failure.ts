/** Endings of a program's run that every process-based source shares. */
import type {
  ContentBlock,
  Ending,
  FailureReason,
  SessionEvent,
  ValidationIssue,
} from '../../core/call/invocation.ts'
import type { RunResult } from '../process/process.ts'

/** What came out so far, as text: nothing that was printed is lost. */
export function keptOutput(result: RunResult): Ending {
  const content: ContentBlock[] = result.stdout === '' ? [] : [{ type: 'text', text: result.stdout }]
  return {
    content,
    ...(result.stdout === '' ? {} : { raw: result.stdout }),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
  }
}

const earlyTexts: Record<Exclude<RunResult['end'], 'exit'>, { message: string; hint: string }> = {
  timeout: {
    message: 'The call took longer than its time limit and was ended.',
    hint: 'Raise the limit for this call or, with "timeoutMs", for its source.',
  },
  cancelled: {
    message: 'Cancelled; the program and what it had started were ended.',
    hint: 'Call again when you are ready.',
  },
  'too-large': {
    message: 'The program printed more than the output limit and was ended; what came before is kept.',
    hint: 'Ask the tool for less, or raise "maxOutputBytes" of its source.',
  },
  spawn: {
    message: 'The program could not be started.',
    hint: 'Check that the file is still there and executable.',
  },
}

/** The failure for a run that did not come to its own end. */
export function endedEarly(result: RunResult): Extract<SessionEvent, { type: 'failure' }> {
  const reason = result.end === 'exit' ? 'spawn' : result.end
  const { message, hint } = earlyTexts[reason]
  const system = result.spawnError
  const tooBig = system?.code === 'E2BIG'
  return {
    type: 'failure',
    reason: reason satisfies FailureReason,
    ...keptOutput(result),
    message: system ? `${message} ${system.code}: ${system.message}` : message,
    hint: tooBig ? 'The input is too long for one argument of a program; make it smaller.' : hint,
    ...(result.stderr === '' ? {} : { stderr: result.stderr }),
    ...(result.signal === undefined ? {} : { signal: result.signal }),
  }
}

/** The failure for a run that ended by itself with an error. */
export function failedRun(
  result: RunResult,
  verdict: { readonly message: string; readonly hint?: string; readonly issues?: readonly ValidationIssue[] },
): SessionEvent {
  return {
    type: 'failure',
    reason: 'exit',
    ...keptOutput(result),
    message: verdict.message,
    ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
    ...(verdict.issues === undefined ? {} : { issues: verdict.issues }),
    ...(result.stderr === '' ? {} : { stderr: result.stderr }),
    ...(result.signal === undefined ? {} : { signal: result.signal }),
  }
}
