/** The filters of the history, as plain lists, so that the page's first load does not need zod for them. */
import { type FailureReason, failureReasons, type ValidationVerdict } from '../tool/invocation.ts'

/** The origin of a call. */
export const invocationOrigins = ['page', 'command line', 'script', 'check', 'bridge', 'mcp'] as const
export type InvocationOrigin = (typeof invocationOrigins)[number]

/** `ok`, the failure reason, or `unfinished`: the call still runs, or Toolscope was killed before it ended. */
export type InvocationOutcome = 'ok' | 'unfinished' | FailureReason

/** Values of the filter, in the order of the menu. `failed` matches every failure reason. */
export const outcomeFilters = ['ok', 'failed', 'unfinished', ...failureReasons] as const

/** Verdicts on the output. */
export const verdictFilters = [
  'valid',
  'invalid',
  'no schema',
  'unchecked',
] as const satisfies readonly ValidationVerdict[]
