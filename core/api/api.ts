/**
 * The HTTP contract between page and server, as zod schemas; both sides infer their types from here.
 *
 * | route | answer |
 * |---|---|
 * | `GET  /api/health` (no token) | Health |
 * | `GET  /api/sources` | SourceList |
 * | `POST /api/sources` {input} | SourceState: opens what a user typed, as on the command line |
 * | `POST /api/sources/{name}/refresh` | SourceState |
 * | `POST /api/manifests` {name, text} | SourceState: a manifest that was dropped on the page |
 * | `POST /api/sources/{name}/restart` | SourceState: closes it where it is open, then opens it; starts a stopped one |
 * | `POST /api/sources/{name}/stop` | SourceState: closes it and keeps it in the list |
 * | `GET  /api/sources/{name}/log` | SourceLog |
 * | `GET  /api/tools?q=&source=&limit=&cursor=` | ToolPage: flat, best match first |
 * | `GET  /api/rows?q=&source=&filter=&collapsed=&offset=&limit=&find=` | RowPage: the tree as the page draws it |
 * | `GET  /api/tools/{ref}` | ToolDetail |
 * | `GET  /api/agents` | AgentList |
 * | `POST /api/validate` {ref, inputText} | Validation of an input by the server (the authority) |
 * | `POST /api/invocations` {ref, input | inputText, options?} | NDJSON, one CallEvent a line |
 * | `/api/examples …` | the examples of a tool: example/api.ts |
 * | `GET  /api/diff?a=&b=` | DiffAnswer: two references (a source's name, a file, git:REV:path) compared |
 * | `GET  /api/sources/{name}/versions?limit=` | VersionList (core/snapshot/snapshot.ts): kept ones and those in git |
 * | `GET  /api/tools/{ref}/versions?limit=` | VersionList: those that touched the tool |
 * | `PUT  /api/sources/{name}/versions/{number}/labels/{label}` | VersionList |
 * | `DELETE /api/sources/{name}/labels/{label}` | VersionList |
 * | `POST /api/prompt` PromptQuery | PromptAnswer (core/prompt/api.ts): a set of tools as an agent gets it, weighed |
 * | `POST /api/prompt/text` PromptQuery | text: the whole prompt |
 * | `POST /api/lint` LintQuery | LintAnswer: what clients would refuse or alter |
 * | `GET  /api/commands` | CommandList (core/script/api.ts, as the next three) |
 * | `POST /api/commands/help` {name, words} | CommandAnswer: `help` and `discover` of a script |
 * | `GET  /api/scripts` · `PUT /api/scripts/{name}` {text} · `DELETE /api/scripts/{name}` | ScriptList |
 * | `GET  /api/events` | SSE: `catalog` whenever a source changed, `store` whenever something was remembered, `changed` (SourceChanged) when a manifest did, `notice` (text) |
 *
 * History and the store: history/history.ts.
 *
 * Every error is {error: AppErrorShape} with its status.
 */
import { z } from 'zod'
import type { Agent } from '../agent/agent.ts'
import type { JsonSchema, ManifestProblem, Tool, ToolAnnotations } from '../tool/tool.ts'

/** Answer of the health check: no token needed, nothing about the sources. */
export interface Health {
  readonly status: 'ok'
  readonly version: string
  readonly node: string
}

/** Which filters the catalog offers beside the text. */
export const toolFilter = z.enum(['read-only', 'destructive', 'typed-output', 'callable'])
export type ToolFilter = z.infer<typeof toolFilter>

const commaList = z
  .string()
  .optional()
  .transform(text => (text ? text.split(',') : []))

/** Query of `GET /api/tools`. */
export const toolsQuery = z.object({
  q: z.string().max(500).default(''),
  /** Source names, comma separated; empty is all. */
  source: commaList,
  filter: commaList.pipe(z.array(toolFilter)),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Opaque: `nextCursor` of the page before. */
  cursor: z.string().optional(),
})

/** Query of `GET /api/rows`. `collapsed` holds ids of group rows, as a JSON array of strings. */
export const rowsQuery = z.object({
  q: z.string().max(500).default(''),
  source: commaList,
  filter: commaList.pipe(z.array(toolFilter)),
  collapsed: z
    .string()
    .default('[]')
    .transform((text, context) => {
      try {
        return z.array(z.string()).parse(JSON.parse(text))
      } catch {
        context.addIssue({ code: 'custom', message: 'collapsed must be a JSON array of strings' })
        return z.NEVER
      }
    }),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Ref of a tool whose position is asked for. */
  find: z.string().max(10_000).optional(),
})

export interface ToolSummary {
  readonly ref: string
  readonly source: string
  readonly name: string
  readonly title?: string
  /** First line of the description, 200 characters at most. */
  readonly summary?: string
  readonly annotations?: ToolAnnotations
  readonly callable: boolean
  readonly hasOutputSchema: boolean
}

export interface ToolPage {
  readonly tools: readonly ToolSummary[]
  /** How many match the query, and how many there are in all. */
  readonly matched: number
  readonly total: number
  readonly nextCursor?: string
}

/** [start, end) character ranges to highlight. */
export type MatchRanges = readonly (readonly [number, number])[]

/** One line of the catalog tree, in the order it is drawn. */
export type CatalogRow =
  | {
      readonly kind: 'source'
      /** Stable; what `collapsed` holds. */
      readonly id: string
      readonly source: string
      readonly collapsed: boolean
      readonly matched: number
      readonly total: number
    }
  | {
      readonly kind: 'group'
      readonly id: string
      readonly source: string
      /** The segment it stands for: `api`. */
      readonly label: string
      readonly depth: number
      readonly collapsed: boolean
      readonly matched: number
    }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly depth: number
      readonly tool: ToolSummary
      /** The last segment of the name, which is what the row shows under its groups. */
      readonly label: string
      readonly labelMatches: MatchRanges
      readonly summaryMatches: MatchRanges
    }

export interface RowPage {
  readonly rows: readonly CatalogRow[]
  readonly offset: number
  /** Rows in all with this query and these collapsed groups. */
  readonly rowCount: number
  /** Tools that match, and tools there are. */
  readonly matched: number
  readonly total: number
  /** Position of the tool that `find` named; absent when it is not drawn. */
  readonly foundAt?: number
}

/**
 * `opening` and `starting`: on the way (the second where a server of its own is being started) · `degraded`: the last
 * good list stands, `error` says what is wrong · `stopped`: known, but nothing of it runs.
 */
export type SourceStatus = 'opening' | 'starting' | 'ready' | 'degraded' | 'failed' | 'stopped'

/** What the other side says of itself. Hostile text. */
export interface SourceAbout {
  /** The negotiated revision of its protocol: `2025-11-25`. */
  readonly protocol?: string
  readonly serverInfo?: { readonly name: string; readonly version: string }
  /** The option that takes the input, where it is not `--json`. */
  readonly inputFlag?: string
}

/** The end of what a source wrote beside its answers, 64 KiB at most; empty where it keeps no log. */
export interface SourceLog {
  readonly text: string
}

export interface SourceState extends SourceAbout {
  readonly name: string
  /** `llms-program`, `manifest-file` … */
  readonly kind: string
  /** What it is, for people: `node examples/acme/acme.mjs`. Secrets masked. */
  readonly label: string
  /** The argument that names it on the command line (its file, of an mcp.json). Secrets masked. */
  readonly argument?: string
  readonly status: SourceStatus
  /** How many of its tools the catalog shows. */
  readonly toolCount: number
  /** Tools of its list that another source provides, and that are shown there; absent when there are none. */
  readonly hiddenTools?: number
  readonly callable: boolean
  /** Which documented shape its manifest had. */
  readonly format?: string
  readonly callingConvention?: string
  readonly instructions?: string
  readonly problems: readonly ManifestProblem[]
  /** Why it failed; with `degraded`, why the newest refresh failed while the last good list stands. */
  readonly error?: import('../errors.ts').AppErrorShape
  /** ISO 8601: when the list was last read. */
  readonly refreshedAt?: string
  /** How long reading took. */
  readonly durationMs?: number
  /** Whether `log` has something to show. */
  readonly hasLog?: boolean
}

/** `examples` are sources that ship with the program: offered by the page, opened only when the user says so. */
export interface SourceList {
  readonly sources: readonly SourceState[]
  readonly examples: readonly { readonly name: string; readonly about: string; readonly input: string }[]
}

/** Instructions are raw; core/agent/interpolate.ts renders them with `builtIn` and the values of the variables. */
export interface AgentList {
  readonly agents: readonly Agent[]
}

export interface ToolDetail extends Tool {
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  /** SHA-256 of the canonical input schema, hex, first 16 digits: drafts are kept per tool and schema. */
  readonly schemaHash: string
  /** What it is called where names are commands; unique in the catalog. */
  readonly command?: string
}

export const openSourceBody = z.object({ input: z.string().min(1).max(10_000) })
/** A manifest as text, under the name of its file. */
export const openManifestBody = z.object({ name: z.string().min(1).max(200), text: z.string() })
export const validateBody = z.object({ ref: z.string(), inputText: z.string() })

export const callOptions = z
  .object({
    /** Milliseconds, 100 to 3,600,000; the source's own limit (60,000 unless configured) when absent. */
    timeoutMs: z.number().int().min(100).max(3_600_000).optional(),
    /** Values of the agent's variables, by name; the defaults of index.yaml for those left out. */
    variables: z.record(z.string(), z.string()).optional(),
    /** What the page calls for; history tells them apart. */
    origin: z.enum(['page', 'script', 'check']).optional(),
  })
  .strict()

/** `inputText` is the exact JSON text to send; `input` is for clients that have no need of exact big numbers. */
export const invocationBody = z.object({
  ref: z.string(),
  input: z.unknown().optional(),
  inputText: z.string().optional(),
  options: callOptions.optional(),
})

/** Query of `GET /api/diff`: two references as on the command line. */
export const diffQuery = z.object({ a: z.string().min(1).max(2000), b: z.string().min(1).max(2000) })

export interface DiffAnswer {
  /** What was compared, for people. `ref` finds the tools of a side in the catalog when it is an open source. */
  readonly a: {
    readonly label: string
    readonly source?: string
    readonly side: import('../diff/change.ts').DiffSide
  }
  readonly b: {
    readonly label: string
    readonly source?: string
    readonly side: import('../diff/change.ts').DiffSide
  }
  readonly report: import('../diff/change.ts').DiffReport
}
