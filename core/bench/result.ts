/** What `toolscope bench` measured, as its JSON has it. */
import { z } from 'zod'

const ms = z.number().describe('Milliseconds.')

const times = {
  calls: z.number(),
  errors: z.number(),
  meanMs: ms,
  p50Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
  maxMs: ms,
}

export const benchResult = z.object({
  load: z.object({
    concurrency: z.number().optional().describe('Calls at the same time.'),
    ratePerSecond: z.number().optional().describe('Calls that were due each second.'),
  }),
  ...times,
  durationMs: ms.describe('Milliseconds from the first call until the last one ended.'),
  ratePerSecond: z.number().describe('Calls that ended each second.'),
  unsent: z.number().describe('Calls among them that were due and never sent: too many others were running.'),
  late: z.number().describe('Calls that had to wait for others to end before they were sent.'),
  stopped: z.boolean().describe('The load was stopped before its end.'),
  tools: z.array(z.object({ ref: z.string(), ...times })),
  histogram: z.array(z.object({ fromMs: ms, toMs: ms, count: z.number() })),
  errorGroups: z
    .array(z.object({ reason: z.string(), message: z.string(), count: z.number() }))
    .describe('The most frequent errors; values in a message are “…”.'),
  conditions: z.array(
    z.object({
      condition: z.string(),
      value: z.string().optional().describe('The figure; absent where no call ended.'),
      failed: z.boolean(),
    }),
  ),
  skipped: z
    .array(z.object({ ref: z.string(), name: z.string(), message: z.string() }))
    .describe('Examples that were not called.'),
})

export type BenchResult = z.infer<typeof benchResult>
