/** Calls: validation of an input by the server, and the call of a tool with its events. */
import { z } from 'zod'
import { preparedAnswers } from '../checks/prepared-answers.ts'
import type { Json } from '../json/json.ts'
import { maxLimitMs, minLimitMs } from '../text/duration.ts'
import {
  type CallEvent,
  type CallTrace,
  type ContentBlock,
  failureReasons,
  type Validation,
  type ValidationIssue,
} from '../tool/invocation.ts'
import type { GivenAnswer, Question } from '../tool/question.ts'
import { type CallTask, taskStatuses } from '../tool/task.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'

/** Toolscope's results about a call: verdicts, and its duration. */
const issue = z.object({
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

// The source sends the blocks, and they are not validated: the types follow MCP, but the values may differ.
const contentBlock = z.custom<ContentBlock>(
  block => typeof block === 'object' && block !== null && 'type' in block,
)

const ending = {
  content: z.array(contentBlock),
  structuredContent: z.unknown().optional(),
  raw: z.string().exactOptional(),
  note: z.string().exactOptional(),
  isError: z.boolean().exactOptional(),
  exitCode: z.number().exactOptional(),
  meta: z.record(z.string(), z.unknown()).exactOptional(),
} satisfies z.ZodRawShape
const verdict = { validation, timing }

const questionFacts = {
  id: z.string(),
  name: z.string().exactOptional(),
  message: z.string(),
  server: z.string().exactOptional(),
  note: z.string().exactOptional(),
  purpose: z.literal('sampling').exactOptional(),
}
const question: z.ZodType<Question> = z.discriminatedUnion('mode', [
  z.object({
    ...questionFacts,
    mode: z.literal('form'),
    schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
  }),
  z.object({ ...questionFacts, mode: z.literal('url'), url: z.string() }),
])
const action = z.enum(['accept', 'decline', 'cancel'])
const content = z.record(z.string(), z.custom<Json>())
const givenAnswer: z.ZodType<GivenAnswer> = z.object({
  action,
  content: content.exactOptional(),
  by: z.enum(['person', 'prepared', 'client', 'toolscope', 'server']),
  note: z.string().exactOptional(),
})

const task: z.ZodType<CallTask> = z.object({
  taskId: z.string(),
  status: z.enum(taskStatuses),
  statusMessage: z.string().exactOptional(),
  createdAt: z.string().exactOptional(),
  lastUpdatedAt: z.string().exactOptional(),
  ttlMs: z.number().exactOptional(),
  pollIntervalMs: z.number().exactOptional(),
})

// A client of `toolscope mcp` may have sent any text.
const storedTrace = z.object({
  traceparent: z.string(),
  tracestate: z.string().exactOptional(),
  baggage: z.string().exactOptional(),
}) satisfies z.ZodType<CallTrace>
const traceText = z.string().max(8_192).exactOptional()
const trace = z.object({
  traceparent: z.string().regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
  tracestate: traceText,
  baggage: traceText,
}) satisfies z.ZodType<CallTrace>

export const callEvent: z.ZodType<CallEvent> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    id: z.string(),
    ref: z.string(),
    startedAt: z.string(),
    inputText: z.string(),
    inputValidation: validation,
    timeoutMs: z.number(),
    trace: storedTrace.exactOptional(),
  }),
  z.object({ type: z.literal('queued'), position: z.number() }),
  z.object({ type: z.enum(['stdout', 'stderr']), text: z.string() }),
  z.object({
    type: z.literal('progress'),
    progress: z.number(),
    total: z.number().exactOptional(),
    message: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('question'), question }),
  z.object({ type: z.literal('answer'), id: z.string(), answer: givenAnswer }),
  z.object({ type: z.literal('task'), task }),
  z.object({ type: z.literal('result'), ...ending, ...verdict }),
  z.object({
    type: z.literal('failure'),
    ...ending,
    ...verdict,
    reason: z.enum(failureReasons),
    message: z.string(),
    hint: z.string().exactOptional(),
    signal: z.string().exactOptional(),
    stderr: z.string().exactOptional(),
    issues: z.array(issue).exactOptional(),
    issuesOf: z.enum(['input', 'output']).exactOptional(),
  }),
])

const callOptions = z
  .object({
    /** Milliseconds, 100 to 3,600,000. If absent, the source's own limit applies (60,000 unless configured). */
    timeoutMs: z.number().int().min(minLimitMs).max(maxLimitMs).optional(),
    /** Values of the agent's variables, by name. Absent ones get the defaults of index.yaml. */
    variables: z.record(z.string(), z.string()).optional(),
    /** The purpose of the call, which history can filter by; `API` if it is absent. */
    origin: z.enum(['page', 'app', 'script', 'check']).optional(),
    answers: preparedAnswers.optional(),
    /**
     * The hashes of differences that a person has seen (`GET /api/sources/{name}/pin`) and accepts for this call only. They
     * count where the policy is to ask, not where it blocks. They need the right `sources`, as an approval does.
     */
    accept: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .max(1_000)
      .optional(),
    /**
     * A `question` without a prepared answer waits for `POST /api/invocations/{id}/answers`, and the time limit of the
     * call pauses meanwhile. If not set, such a question is declined.
     */
    asks: z.boolean().optional(),
    /** Asks an MCP server to make a task of the call, where the tool leaves it to the caller. */
    asTask: z.boolean().optional(),
    /** Calls nothing: waits for the end of this task, which an earlier call of the tool left, and returns its result. */
    taskId: z.string().min(1).max(1_000).optional(),
    /**
     * `definition` of the tool (`GET /api/tools/{ref}`) that the caller read. A call of a pinned source is refused if the
     * tool now has another one, unless this one is approved.
     */
    definition: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    /** The trace that the request to an MCP server names (SEP-414). If not set, each call begins one. */
    trace: trace.optional(),
  })
  .strict()

/** An answer to a question of a running call. */
export const questionAnswer = z.object({ question: z.string(), action, content: content.optional() })

export const callEndpoints = defineEndpoints({
  'POST /api/validate': {
    right: 'read',
    about: 'Validates an input; the server is the authority',
    body: z.object({ ref: z.string(), inputText: z.string() }),
    answer: validation,
  },
  'POST /api/invocations': audited({
    right: 'call',
    about:
      'Calls a tool; one CallEvent a line. Closing the connection cancels the call, but not the task that its server made of it',
    /** `inputText` is the exact JSON text to send; `input` is for clients that do not need exact big numbers. */
    body: z.object({
      ref: z.string(),
      input: z.unknown().optional(),
      inputText: z.string().optional(),
      options: callOptions.optional(),
    }),
    target: ({ body }) => body.ref,
    format: 'lines',
    answer: callEvent,
  }),
  'POST /api/invocations/{id}/cancel': audited({
    right: 'call',
    about:
      'Cancels a running call, and the task that its server made of it; only closing the connection leaves the task to the server',
    params: z.object({ id: z.string() }),
    target: ({ params }) => params.id,
    /** Whether the call ran here. */
    answer: z.object({ cancelled: z.boolean() }),
  }),
  'POST /api/invocations/{id}/answers': audited({
    right: 'call',
    about:
      'Answers what a running call was asked; content that breaks the schema of the question is not sent',
    params: z.object({ id: z.string() }),
    body: questionAnswer,
    target: ({ params, body }) => joinTarget(params.id, body.question, body.action),
    /** The content's verdict; after `invalid` the question is still open. */
    answer: validation,
  }),
})
