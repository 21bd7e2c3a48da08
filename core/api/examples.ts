/** The examples (saved inputs) of a tool. */
import { z } from 'zod'
import type { ExampleOutcome } from '../checks/check-example.ts'
import { type ExampleProblem, readExample } from '../checks/example.ts'
import { list } from '../json/zod-shapes.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'

const storedExample = z.object({
  name: z.string(),
  /** The example as `writeExample` writes it. */
  text: z.string(),
  /** Its file, relative to the configuration's folder; absent for an example in the store. */
  file: z.string().exactOptional(),
})
export type StoredExample = z.infer<typeof storedExample>

export const exampleProblem = z.object({
  file: z.string(),
  message: z.string(),
}) satisfies z.ZodType<ExampleProblem>

const exampleList = z.object({
  examples: list(storedExample),
  problems: list(exampleProblem),
  /** The location of the examples, for the user. */
  place: z.string(),
})

const savedExample = z.object({
  example: storedExample,
  /** JSON Pointers of secret members of the input that were not stored. */
  leftOut: list(z.string()),
})

export const exampleDifference = z.object({
  path: z.string().describe('JSON Pointer into the result.'),
  expected: z.string().optional(),
  actual: z.string().optional(),
})

const exampleOutcome: z.ZodType<ExampleOutcome> = z.object({
  status: z.enum(['passed', 'failed']),
  message: z.string(),
  differences: z.array(exampleDifference),
  more: z.number().exactOptional(),
  durationMs: z.number().exactOptional(),
})

const ref = z.string().min(1)
const one = z.object({ ref, name: z.string().min(1) })

/** Undefined if the text is not an example. */
function nameOfExample(text: string): string | undefined {
  const reading = readExample(text)
  return reading.ok ? reading.example.name : undefined
}

export const exampleEndpoints = defineEndpoints({
  'GET /api/examples': {
    right: 'read',
    about: 'The examples of one tool',
    query: z.object({ ref }),
    answer: exampleList,
  },
  'PUT /api/examples': audited({
    right: 'write',
    about: 'Keeps an example under its name; `text` is the text of its file',
    body: z.object({ ref, text: z.string() }),
    target: ({ body }) => joinTarget(body.ref, nameOfExample(body.text)),
    answer: savedExample,
  }),
  'DELETE /api/examples': audited({
    right: 'write',
    about: 'Removes an example',
    query: one,
    target: ({ query }) => `${query.ref} ${query.name}`,
    answer: exampleList,
  }),
  'POST /api/examples/run': audited({
    right: 'call',
    about: 'Calls the tool with the example and checks the result',
    body: one,
    target: ({ body }) => `${body.ref} ${body.name}`,
    answer: exampleOutcome,
  }),
})
