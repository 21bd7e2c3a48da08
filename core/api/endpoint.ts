/**
 * An endpoint of the HTTP API as data: the server's routes, the page's client and the table in docs/api.md derive from
 * it.
 */
import type { z } from 'zod'
import type { SourceEntry } from './source-entry.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The kind of a request, which decides who may send it (rights.ts). */
export type Right = 'read' | 'call' | 'write' | 'sources'

interface EndpointFacts {
  /** The description in docs/api.md, one line. */
  readonly about: string
  /** Names between braces in the path. `{+name}` may contain slashes, percent-encoded or not. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON, with `Content-Type: application/json`. */
  readonly body?: z.ZodObject
  /**
   * How the answer is sent, `json` if absent. `json`: one value · `text`: plain text · `lines`: NDJSON, `answer` is one
   * line · `events`: server-sent events, `answer` contains the data of each event by its name.
   */
  readonly format?: 'json' | 'text' | 'lines' | 'events'
  readonly answer: z.ZodType
  /** Status of a success; if absent 200, or what the handler sets. */
  readonly status?: 201
}

/** An endpoint that only reads is not in the audit log. */
interface ReadEndpoint extends EndpointFacts {
  readonly right: 'read'
  readonly target?: undefined
}

interface AuditedEndpoint extends EndpointFacts {
  readonly right: Exclude<Right, 'read'>
  /**
   * Returns what the request starts, changes, deletes or calls, for the audit log: references, names and settings, never
   * an input. `audited` gives it the type of its request.
   */
  readonly target: (request: never, visible: VisibleSources) => string
}

export type Endpoint = ReadEndpoint | AuditedEndpoint

/** Describes sources for the audit log, in one line and without their secrets. */
export interface VisibleSources {
  /** A command line or an address, as a user typed it. */
  typed(text: string): string
  /** A text of any kind and length, which nothing has recognised yet. At most 500 characters. */
  recognised(text: string): string
  entry(entry: SourceEntry): string
}

/** The endpoints of one resource, by method and path: `GET /api/tools/{+ref}`. Prometheus asks for `/metrics` by default. */
export type Endpoints = Readonly<Record<`${Method} /api/${string}`, Endpoint>> & {
  readonly 'GET /metrics'?: Endpoint
}

/** Returns an endpoint that is not `read`; its `target` receives the parts of the request as they were parsed. */
export function audited<
  const Defined extends AuditedEndpoint,
  Params extends z.ZodObject = never,
  Query extends z.ZodObject = never,
  Body extends z.ZodObject = never,
>(
  endpoint: Defined & {
    readonly params?: Params
    readonly query?: Query
    readonly body?: Body
    readonly target: (
      request: {
        readonly params: z.output<Params>
        readonly query: z.output<Query>
        readonly body: z.output<Body>
      },
      visible: VisibleSources,
    ) => string
  },
): Defined {
  return endpoint
}

/** Joins the parts of a target that the request has. */
export const joinTarget = (...parts: readonly (string | false | undefined)[]) =>
  parts.filter(part => part !== undefined && part !== false && part !== '').join(' ')

/** Returns the endpoints with the exact type of each. */
export function defineEndpoints<const Defined extends Endpoints>(endpoints: Defined): Defined {
  return endpoints
}

/** The input of a request: params, query and body as the contract's schemas accept them. */
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

/** The answer. For an endpoint that streams: one line of it, or the data of its events. */
export type AnswerOf<Of> = Of extends { answer: infer Answer extends z.ZodType } ? z.output<Answer> : never

/** A `json` answer as text that a worker thread wrote, so that the main thread does not serialize it. */
export class JsonText<Answer> {
  /** The type of the parsed text; it exists only for the compiler. */
  declare readonly answer: Answer
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** How the answer of an endpoint is sent. */
export type FormatOf<Of> = Of extends { format: infer Format extends string } ? Format : 'json'
