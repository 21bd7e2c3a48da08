/** The filters of the history, as plain lists, so that the page's first load does not need zod for them. */
import { failureReasons, type ValidationVerdict } from '../tool/invocation.ts'

/** The origin of a call. */
export const invocationOrigins = [
  'page',
  'app',
  'API',
  'command line',
  'script',
  'check',
  'bridge',
  'mcp',
] as const
export type InvocationOrigin = (typeof invocationOrigins)[number]

/** Values of the filter, in the order of the menu. `failed` matches every failure reason. */
export const outcomeFilters = ['ok', 'failed', 'unfinished', ...failureReasons] as const

/** Verdicts on the output. */
export const verdictFilters = [
  'valid',
  'invalid',
  'no schema',
  'unchecked',
] as const satisfies readonly ValidationVerdict[]
