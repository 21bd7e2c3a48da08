/** Toolscope's results about a call: verdicts, and its duration. */
import { z } from 'zod'
import type { Validation, ValidationIssue } from '../tool/invocation.ts'

export const issue = z.object({
  path: z.string(),
  keyword: z.string(),
  message: z.string(),
  details: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  actual: z.string().exactOptional(),
}) satisfies z.ZodType<ValidationIssue>

export const validation: z.ZodType<Validation> = z.object({
  verdict: z.enum(['valid', 'invalid', 'no schema', 'unchecked']),
  issues: z.array(issue),
  more: z.number().exactOptional(),
  note: z.string().exactOptional(),
})

export const timing = z.object({ startedAt: z.string(), durationMs: z.number() })
