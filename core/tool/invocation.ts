/** One run of a tool: what goes in, the events while it runs, and the one shape that every ending has. */
import type { GivenAnswer, Question } from './question.ts'

/** MCP's content blocks, kept to the letter (`data` and `blob` are base64). `role`: who says it, in a prompt's message. */
export type ContentBlock = { readonly role?: string } & (
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

/** One place where a value breaks its schema. */
export interface ValidationIssue {
  /** JSON Pointer (RFC 6901) into the value; `''` is the whole value. */
  readonly path: string
  /** The schema keyword that refused it (`required`, `pattern` …), or the program's own code. */
  readonly keyword: string
  /** A sentence for people, without its subject: `must be one of dev, staging, prod`. */
  readonly message: string
  /** What the schema says in its own terms, for who wants to know more: `pattern ^b-[0-9]+$`. */
  readonly details?: string
  /** What the schema wants at that place, shortened (`boolean`). */
  readonly expected?: string
  /** What stands there, shortened (`string "yes"`). */
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
] as const
export type FailureReason = (typeof failureReasons)[number]

/** What every ending shares, success or failure: nothing that came back is lost. */
export interface Ending {
  readonly content: readonly ContentBlock[]
  /** The result as JSON, where there is one. */
  readonly structuredContent?: unknown
  /** The text the result was read from, to the letter (numbers beyond 2^53 are exact only here). */
  readonly raw?: string
  /** How the result was read, where that is not plain: `the JSON was the last value on stdout`. */
  readonly note?: string
  /** The tool's own word that it failed (MCP `isError`). */
  readonly isError?: boolean
  readonly exitCode?: number
  /** The source's `_meta` and the like. */
  readonly meta?: { readonly [key: string]: unknown }
}

export interface Failure extends Ending {
  readonly reason: FailureReason
  /** What happened, in one line. */
  readonly message: string
  /** What to do next. */
  readonly hint?: string
  readonly signal?: string
  /** The end of what the program wrote to stderr (64 KiB at most). */
  readonly stderr?: string
  /** Issues the program itself reported, with the places they belong to. */
  readonly issues?: readonly ValidationIssue[]
  /** Which value `issues` speak of. */
  readonly issuesOf?: 'input' | 'output'
}

/** What a session yields: exactly one `result` or `failure`, and it comes last. */
export type SessionEvent =
  | { readonly type: 'stdout'; readonly text: string }
  | { readonly type: 'stderr'; readonly text: string }
  | {
      readonly type: 'progress'
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  /** The server asks something back. One `answer` of the same id follows it, before the ending. */
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'answer'; readonly id: string; readonly answer: GivenAnswer }
  | ({ readonly type: 'result' } & Ending)
  | ({ readonly type: 'failure' } & Failure)

export type SessionEnding = Extract<SessionEvent, { readonly type: 'result' | 'failure' }>

/** What a caller of the program sees: the session's events between `started` and an ending with its verdict. */
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
    }
  /** Too many calls run: its place in line, from 1, whenever that changes; 0 when it runs. */
  | { readonly type: 'queued'; readonly position: number }
  /** Whether the input fits its schema. Advisory: the call goes on meanwhile. At most once, before the ending. */
  | { readonly type: 'input-validation'; readonly validation: Validation }
  | Extract<SessionEvent, { type: 'stdout' | 'stderr' | 'progress' | 'question' | 'answer' }>
  | ({ readonly type: 'result'; readonly validation: Validation; readonly timing: Timing } & Ending)
  | ({ readonly type: 'failure'; readonly validation: Validation; readonly timing: Timing } & Failure)

export type EndedEvent = Extract<CallEvent, { readonly type: 'result' | 'failure' }>
