/** One run of a tool: its input, the events while it runs, and the shape that all endings share. */
import type { GivenAnswer, Question } from './question.ts'
import type { CallTask } from './task.ts'

/**
 * MCP's content blocks, unchanged (`data` and `blob` are base64). `role` is the speaker of a prompt's message;
 * `annotations` are not checked.
 */
export type ContentBlock = { readonly role?: string; readonly annotations?: unknown } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name?: string
      readonly title?: string
      readonly description?: string
      readonly mimeType?: string
    }
  | {
      readonly type: 'resource'
      readonly resource: {
        readonly uri: string
        readonly mimeType?: string
        readonly text?: string
        readonly blob?: string
      }
    }
)

/** One location where a value breaks its schema. */
export interface ValidationIssue {
  /** JSON Pointer (RFC 6901) into the value; `''` is the whole value. */
  readonly path: string
  /** The schema keyword that failed (`required`, `pattern` …), or the program's own code. */
  readonly keyword: string
  /** A sentence for the user, without its subject: `must be one of dev, staging, prod`. */
  readonly message: string
  /** The rule in the schema's own terms: `pattern ^b-[0-9]+$`. */
  readonly details?: string
  /** The expected value or type, shortened (`boolean`). */
  readonly expected?: string
  /** The actual value, shortened (`string "yes"`). */
  readonly actual?: string
}

/** `unchecked`: there is a schema, but it could not be applied (broken, too slow); `note` says why. */
export type ValidationVerdict = 'valid' | 'invalid' | 'no schema' | 'unchecked'

export interface Validation {
  readonly verdict: ValidationVerdict
  /** At most 100; `more` counts the rest. Empty unless the verdict is `invalid`. */
  readonly issues: readonly ValidationIssue[]
  readonly more?: number
  readonly note?: string
}

export interface Timing {
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
}

export const failureReasons = [
  'exit',
  'timeout',
  'cancelled',
  'too-large',
  'spawn',
  'network',
  'sign-in-needed',
  'tool-error',
  'bad-output',
  'not-found',
  'not-approved',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** In the `note` of a result: its content is not content of MCP. */
export const contentNotes = ['"content" is not a list', 'is not a block type of MCP'] as const

/** The members that success and failure share, so that a failure keeps its partial result. */
export interface Ending {
  readonly content: readonly ContentBlock[]
  /** The result as JSON, if it has JSON. */
  readonly structuredContent?: unknown
  /** The exact text of the result. Numbers beyond 2^53 are exact only here. */
  readonly raw?: string
  /** How the result was read, if that is not obvious: `the JSON was the last value on stdout`. */
  readonly note?: string
  /** The tool's own statement that it failed (MCP `isError`). */
  readonly isError?: boolean
  readonly exitCode?: number
  /** The source's `_meta` and similar data. */
  readonly meta?: { readonly [key: string]: unknown }
}

export interface Failure extends Ending {
  readonly reason: FailureReason
  /** The failure, in one line. */
  readonly message: string
  /** The next step for the user. */
  readonly hint?: string
  readonly signal?: string
  /** The end of what the program wrote to stderr (64 KiB at most). */
  readonly stderr?: string
  /** Issues that the program itself reported, with their locations. */
  readonly issues?: readonly ValidationIssue[]
  /** Which value `issues` are about. */
  readonly issuesOf?: 'input' | 'output'
}

/** The events of a session. Exactly one `result` or `failure` comes, as the last event. */
export type SessionEvent =
  | { readonly type: 'stdout'; readonly text: string }
  | { readonly type: 'stderr'; readonly text: string }
  | {
      readonly type: 'progress'
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  /** The server asks a question. One `answer` of the same id follows before the ending. */
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'answer'; readonly id: string; readonly answer: GivenAnswer }
  /** The server made a task of the call, or the task has changed. */
  | { readonly type: 'task'; readonly task: CallTask }
  | ({ readonly type: 'result' } & Ending)
  | ({ readonly type: 'failure' } & Failure)

export type SessionEnding = Extract<SessionEvent, { readonly type: 'result' | 'failure' }>

/**
 * The trace of a call to an MCP server, which the request names in `_meta` (SEP-414). The formats are those of W3C Trace
 * Context and Baggage.
 */
export interface CallTrace {
  /** `00-<trace id>-<span id>-<flags>` in hexadecimal digits. */
  readonly traceparent: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** The events of a call: `started`, the session's events, and an ending with its verdict. */
export type CallEvent =
  | {
      readonly type: 'started'
      readonly id: string
      readonly ref: string
      readonly startedAt: string
      /** The exact JSON text that was sent. */
      readonly inputText: string
      /** Milliseconds after which the call is ended. */
      readonly timeoutMs: number
      readonly trace?: CallTrace
    }
  /** Too many calls run. Sent when the position in the queue changes: 1 is next, 0 means that the call runs. */
  | { readonly type: 'queued'; readonly position: number }
  /** Whether the input fits its schema. Sent at most once, before the ending; the call does not wait for it. */
  | { readonly type: 'input-validation'; readonly validation: Validation }
  | Extract<SessionEvent, { type: 'stdout' | 'stderr' | 'progress' | 'question' | 'answer' | 'task' }>
  | ({ readonly type: 'result'; readonly validation: Validation; readonly timing: Timing } & Ending)
  | ({ readonly type: 'failure'; readonly validation: Validation; readonly timing: Timing } & Failure)

export type EndedEvent = Extract<CallEvent, { readonly type: 'result' | 'failure' }>
