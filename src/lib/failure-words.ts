import type { FailureReason } from '../../core/call/invocation.ts'

/** How a call failed, in a word or two. */
export const failureWords: Readonly<Record<FailureReason, string>> = {
  exit: 'failed',
  timeout: 'timed out',
  cancelled: 'cancelled',
  'too-large': 'too large',
  spawn: 'could not start',
  network: 'connection failed',
  'tool-error': 'tool error',
  'bad-output': 'unreadable output',
  'not-found': 'not found',
}
