/**
 * An endpoint of the HTTP API as data: the server's routes, the page's client and the table in docs/api.md derive from
 * it.
 */
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a request does, and with that who may send it (rights.ts). */
export type Right = 'read' | 'call' | 'write' | 'sources'

export interface Endpoint {
  readonly right: Right
  /** What it does, in one line of docs/api.md. */
  readonly about: string
  /** Names between braces in the path; `{+name}` may hold slashes, percent-encoded or not. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON, with `Content-Type: application/json`. */
  readonly body?: z.ZodObject
  /**
   * How the answer is sent. `json` (when absent): one value · `text`: plain text · `lines`: NDJSON, `answer` is one
   * line · `events`: server-sent events, `answer` holds the data of each event by its name.
   */
  readonly format?: 'json' | 'text' | 'lines' | 'events'
  readonly answer: z.ZodType
  /** Status of a success; 200 when absent. */
  readonly status?: 201
}

/** The endpoints of one resource, by method and path: `GET /api/tools/{+ref}`. */
export type Endpoints = Readonly<Record<`${Method} /api/${string}`, Endpoint>>

/** Keeps the exact type of every endpoint. */
export function defineEndpoints<const Defined extends Endpoints>(endpoints: Defined): Defined {
  return endpoints
}

/** What a caller gives: params, query and body as the contract's schemas take them. */
export type RequestOf<Of> = (Of extends {
  params: infer Params extends z.ZodType
}
  ? { readonly params: z.input<Params> }
  : unknown) &
  (Of extends { query: infer Query extends z.ZodType }
    ? object extends z.input<Query>
      ? { readonly query?: z.input<Query> }
      : { readonly query: z.input<Query> }
    : unknown) &
  (Of extends { body: infer Body extends z.ZodType } ? { readonly body: z.input<Body> } : unknown)

/** The answer; of an endpoint that streams, one line of it or the data of its events. */
export type AnswerOf<Of> = Of extends { answer: infer Answer extends z.ZodType } ? z.output<Answer> : never

/** An answer of an endpoint in `json` as its text: a thread wrote it, so that the main thread need not. */
export class JsonText<Answer> {
  /** What the text says; for the compiler alone. */
  declare readonly answer: Answer
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Whether an answer comes whole or is read while it comes. */
export type FormatOf<Of> = Of extends { format: infer Format extends string } ? Format : 'json'
