/** Sends the same inputs to two sources and compares the answers. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'
import { exampleProblem } from './examples.ts'

const durations = z.object({ a: z.number(), b: z.number() })

/** One input that was sent to both sources. */
export const comparedPair = z.object({
  tool: z.string().describe('The tool’s reference within its source.'),
  name: z.string().describe('The example’s name, or when the call was made.'),
  status: z.enum(['same', 'different', 'failed', 'skipped']),
  message: z.string(),
  flag: z
    .enum(['allow-writes', 'allow-destructive'])
    .exactOptional()
    .describe('Of what was skipped: the flag of `toolscope compare` that runs it.'),
  differences: z
    .array(
      z.object({
        path: z.string().describe('JSON Pointer into the answer.'),
        a: z.string().exactOptional(),
        b: z.string().exactOptional(),
      }),
    )
    .describe('JSON text of each side, cut if it is long; absent if the side has no value there.'),
  more: z.number().exactOptional().describe('Differences that are not listed.'),
  durationsMs: durations.exactOptional(),
})
export type ComparedPair = z.infer<typeof comparedPair>

/** Both answers as JSON text, masked. Absent if a side gave none or one is too long. */
const visiblePair = comparedPair.extend({
  answers: z.object({ a: z.string(), b: z.string() }).exactOptional(),
})
export type VisiblePair = z.infer<typeof visiblePair>

const compareLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('plan'),
    total: z.number(),
    problems: list(exampleProblem),
    /** The mask file in use; absent if no file applies. */
    masks: z.string().exactOptional(),
  }),
  visiblePair.extend({ type: z.literal('pair') }),
])
export type CompareLine = z.infer<typeof compareLine>

export const compareEndpoints = defineEndpoints({
  'POST /api/compare': audited({
    right: 'call',
    about:
      'Sends the saved examples, and the newest calls, of one source to two sources; the plan first, then a pair a line',
    /** `a`, `b`: names of open sources. Tools that need confirmation are never called. */
    body: z.object({
      a: z.string().min(1),
      b: z.string().min(1),
      /** How many of the newest different calls are repeated. */
      history: z.number().int().min(0).max(1_000).default(0),
      /** Whether tools that are not marked as read-only are called too. */
      allowWrites: z.boolean().default(false),
    }),
    target: ({ body }) =>
      joinTarget(body.a, body.b, `history=${body.history}`, body.allowWrites && 'allowWrites=true'),
    format: 'lines',
    answer: compareLine,
  }),
})
