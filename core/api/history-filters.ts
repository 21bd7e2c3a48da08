/** What calls can be told apart by. Plain lists, so that the page's first load carries no schema library for them. */
import { type FailureReason, failureReasons, type ValidationVerdict } from '../tool/invocation.ts'

/** Where a call came from. */
export const invocationOrigins = ['page', 'command line', 'script', 'check', 'bridge', 'mcp'] as const
export type InvocationOrigin = (typeof invocationOrigins)[number]

/** `ok`, why the call failed, or `unfinished`: it still runs, or Toolscope was killed before it ended. */
export type InvocationOutcome = 'ok' | 'unfinished' | FailureReason

/** Values of the filters, in the order of a menu. `failed` is every failure reason. */
export const outcomeFilters = ['ok', 'failed', 'unfinished', ...failureReasons] as const

/** Verdicts of the output. */
export const verdictFilters = [
  'valid',
  'invalid',
  'no schema',
  'unchecked',
] as const satisfies readonly ValidationVerdict[]
