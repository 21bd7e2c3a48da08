/** Sources: the open ones and their states, and requests to open, refresh and stop them. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { cacheScopes } from '../tool/freshness.ts'
import { type LogLine, logLevels, logOrigins } from '../tool/log-line.ts'
import { appError, icon, manifestProblem } from '../tool/shapes.ts'
import { callSettings } from './call-settings.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'
import { sourceEntry, sourceName } from './source-entry.ts'

/**
 * `opening` · `starting`: Toolscope starts the source's server first · `degraded`: the last good list is shown, `error`
 * gives the fault · `stopped`: known, but nothing of it runs.
 */
export const sourceStatus = z.enum(['opening', 'starting', 'ready', 'degraded', 'failed', 'stopped'])
export type SourceStatus = z.infer<typeof sourceStatus>

/** The server's own description. Hostile text. */
const sourceAbout = z.object({
  /** The negotiated revision of its protocol: `2025-11-25`. */
  protocol: z.string().exactOptional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).exactOptional(),
  /**
   * `needed`: the server wants the user to sign in, or to sign in again for more rights · `done`: calls carry the token
   * of a sign-in. Absent if the server never asked.
   */
  signIn: z.enum(['needed', 'done']).exactOptional(),
  /** How long its lists may be used, if the server says so (SEP-2549): `ttlMs` is in milliseconds. */
  freshness: z.object({ ttlMs: z.number(), cacheScope: z.enum(cacheScopes) }).exactOptional(),
  /** The option that takes the input, if it is not `--json`. */
  inputFlag: z.string().exactOptional(),
  /** The server's own tool that lists its tools, if these are behind others (HiddenCatalogPattern). */
  foundBy: z.string().exactOptional(),
})
export type SourceAbout = z.infer<typeof sourceAbout>

export const sourceState = sourceAbout.extend({
  name: z.string(),
  /** `llms-program`, `manifest-file` … */
  kind: z.string(),
  /** Its command or address for the user, with secrets masked: `node examples/acme/acme.mjs`. */
  label: z.string(),
  /** The absolute path of its tools' working directory; absent if the user cannot choose it. */
  directory: z.string().exactOptional(),
  /** The argument that names it on the command line (for an mcp.json, its file). Secrets masked. */
  argument: z.string().exactOptional(),
  /**
   * The options that `argument` needs: headers of its address, whose secrets are `${NAME}` of a variable of the shell, and
   * the absolute working directory that the user chose.
   */
  argumentOptions: z
    .object({
      headers: z.record(z.string(), z.string()).exactOptional(),
      directory: z.string().exactOptional(),
    })
    .exactOptional(),
  /**
   * Where it was configured: on the page, which stores it and can change it, or in `file` (absolute), where it must be
   * changed. Absent: on the command line.
   */
  origin: z.object({ from: z.enum(['page', 'file']), file: z.string().exactOptional() }).exactOptional(),
  /** Its former names, newest last. Older calls are stored under the name of that time. */
  formerNames: list(z.string()).exactOptional(),
  status: sourceStatus,
  /** Whether the user trusts the command that it starts; absent if no configuration file names it. */
  trusted: z.boolean().exactOptional(),
  /** How many of its tools the catalog shows. */
  toolCount: z.number(),
  /** Its settings for calls, as configured; absent: all have their defaults. */
  // A file of another client may set a longer limit than toolscope.json can.
  callSettings: callSettings.extend({ timeoutMs: z.number().exactOptional() }).exactOptional(),
  /** How many tools of its list are shown under another source that provides them too; absent if there are none. */
  hiddenTools: z.number().exactOptional(),
  callable: z.boolean(),
  /** Whether a tool of it has an app (MCP Apps), or may only be called by apps; absent if not. */
  hasApps: z.literal(true).exactOptional(),
  /** The documented format of its manifest. */
  format: z.string().exactOptional(),
  callingConvention: z.string().exactOptional(),
  instructions: z.string().exactOptional(),
  /** An MCP server's capabilities besides tools, and its icons. Both are hostile; remote icons are not fetched. */
  capabilities: z.record(z.string(), z.unknown()).exactOptional(),
  icons: list(icon).exactOptional(),
  /** How many prompts, resources, templates and skills it has; absent if it has none. */
  surface: z
    .object({
      prompts: z.number(),
      resources: z.number(),
      templates: z.number(),
      skills: z.number().exactOptional(),
    })
    .exactOptional(),
  problems: list(manifestProblem),
  /** Why it failed. For `degraded`: why the newest refresh failed; the last good list is still shown. */
  error: appError.exactOptional(),
  /** When the list was last read, ISO 8601. */
  refreshedAt: z.string().exactOptional(),
  /** Milliseconds that the last reading took. */
  durationMs: z.number().exactOptional(),
  /** Whether `log` is not empty. */
  hasLog: z.boolean().exactOptional(),
})
export type SourceState = z.infer<typeof sourceState>

const logLine = z.object({
  number: z.number(),
  time: z.string(),
  origin: z.enum(logOrigins),
  level: z.enum(logLevels).exactOptional(),
  logger: z.string().exactOptional(),
  text: z.string(),
}) satisfies z.ZodType<LogLine>

/**
 * `examples` are sources that ship with Toolscope; they open only when the user asks for it. `removed` are those that
 * `restore` can bring back.
 */
const sourceList = z.object({
  sources: list(sourceState),
  removed: list(z.object({ name: z.string(), label: z.string() })),
  examples: list(z.object({ name: z.string(), about: z.string(), input: z.string() })),
})
export type SourceList = z.infer<typeof sourceList>

/** A source found in a text: its entry, or why it cannot be used. */
const foundSource = z.object({
  /** The proposed name. */
  name: z.string(),
  /** A description for the user, with secrets masked. */
  about: z.string(),
  entry: sourceEntry.exactOptional(),
  problem: z.string().exactOptional(),
})
export type FoundSource = z.infer<typeof foundSource>

/** The kind of a typed line; the settings of its source depend on it. */
const lineKind = z.enum(['program', 'address', 'file', 'servers'])
export type LineKind = z.infer<typeof lineKind>

/** The result of recognising a text. `one`: its sources are alternatives for the same server. */
const recognised = z.object({
  about: z.string(),
  /**
   * Set for a command, an address or a path; absent for JSON. `program`: also a folder, or one server of a file;
   * `file`: a manifest; `servers`: a file that names several servers, or none.
   */
  line: lineKind.exactOptional(),
  choose: z.enum(['one', 'several']),
  sources: list(foundSource),
})
export type Recognised = z.infer<typeof recognised>

/** toolscope.json before and after a source is added. */
const configChange = z.object({
  /** An absolute path. */
  file: z.string(),
  /** Null if the file does not exist yet. */
  before: z.string().nullable(),
  after: z.string(),
  /** Notes for the user about the change. */
  notes: list(z.string()),
})
export type ConfigChange = z.infer<typeof configChange>

const params = z.object({ name: z.string() })
const chosenName = sourceName.max(200).regex(/^\S+$/, 'a source name holds no space')

export const sourceEndpoints = defineEndpoints({
  'GET /api/sources': { right: 'read', about: 'The sources and their states', answer: sourceList },
  'POST /api/sources': audited({
    right: 'sources',
    about: 'Opens a source and keeps it: what a user typed, as on the command line, or an entry',
    body: z
      .object({
        input: z.string().min(1).max(10_000).optional(),
        entry: sourceEntry.optional(),
        name: chosenName.optional(),
      })
      .refine(
        ({ input, entry }) => (input === undefined) !== (entry === undefined),
        'give "input" or "entry"',
      ),
    target: ({ body: { name, input, entry } }, visible) =>
      joinTarget(name, input && visible.typed(input), entry && visible.entry(entry)),
    answer: sourceState,
    status: 201,
  }),
  'POST /api/sources/probe': audited({
    right: 'sources',
    about:
      'Opens a source, reads its list and closes it; `name`: the source whose masked secrets the entry has',
    body: z.object({ entry: sourceEntry, name: z.string().optional() }),
    target: ({ body }, visible) => joinTarget(body.name, visible.entry(body.entry)),
    answer: sourceState,
  }),
  'POST /api/sources/recognise': audited({
    right: 'sources',
    about:
      'What a text names, not started: a command, an address, a path; or JSON: a manifest, an mcp.json, one entry, a server.json',
    body: z.object({ name: z.string().max(200), text: z.string() }),
    // A file has a name; what was typed or pasted has none.
    target: ({ body: { name, text } }, visible) => (name === '' ? visible.recognised(text) : name),
    answer: recognised,
  }),
  'POST /api/manifests': audited({
    right: 'sources',
    about: 'Opens a manifest from its text, under the name of its file',
    body: z.object({ name: z.string().min(1).max(200), text: z.string() }),
    target: ({ body }) => body.name,
    answer: sourceState,
    status: 201,
  }),
  'POST /api/sources/{name}/refresh': audited({
    right: 'call',
    about: 'Reads the list of tools again',
    params,
    target: ({ params }) => params.name,
    answer: sourceState,
  }),
  'POST /api/sources/{name}/restart': audited({
    right: 'sources',
    about: 'Closes the source if it is open, then opens it',
    params,
    target: ({ params }) => params.name,
    answer: sourceState,
  }),
  'POST /api/sources/{name}/stop': audited({
    right: 'sources',
    about: 'Closes the source and keeps it in the list',
    params,
    target: ({ params }) => params.name,
    answer: sourceState,
  }),
  'GET /api/sources/{name}/entry': audited({
    right: 'sources',
    about: 'What the user gave for a source that was added in the page, its secrets masked',
    params,
    target: ({ params }) => params.name,
    answer: z.object({ entry: sourceEntry }),
  }),
  'PUT /api/sources/{name}': audited({
    right: 'sources',
    about:
      'Renames a source that was added in the page, opens it in another way, or both; a failure changes nothing',
    params,
    body: z.object({ name: chosenName.optional(), entry: sourceEntry.optional() }),
    target: ({ params, body: { name, entry } }, visible) =>
      joinTarget(params.name, name && `name=${name}`, entry && visible.entry(entry)),
    answer: sourceState,
  }),
  'GET /api/sources/{name}/config-change': audited({
    right: 'sources',
    about: 'What "Save to toolscope.json" would write',
    params,
    target: ({ params }) => params.name,
    answer: configChange,
  }),
  'POST /api/sources/{name}/config-change': audited({
    right: 'sources',
    about: 'Writes the source to toolscope.json if the file has not changed since it was shown (`before`)',
    params,
    body: z.object({ before: z.string().nullable() }),
    target: ({ params }) => params.name,
    answer: configChange,
  }),
  'DELETE /api/sources/{name}': audited({
    right: 'sources',
    about:
      'Closes the source and removes it from the list: permanently if it was added on the page, else until Toolscope ends. Returns the list',
    params,
    target: ({ params }) => params.name,
    answer: sourceList,
  }),
  'POST /api/sources/{name}/restore': audited({
    right: 'sources',
    about: 'Puts a source back that was removed, as it was: open or stopped',
    params,
    target: ({ params }) => params.name,
    answer: sourceState,
  }),
  'POST /api/sources/{name}/sign-in': audited({
    right: 'sources',
    about:
      'Begins a sign-in at a remote server. Open `url` in a browser; the source opens when it comes back. Absent: no browser is needed',
    params,
    target: ({ params }) => params.name,
    answer: z.object({ url: z.string().exactOptional() }),
  }),
  'POST /api/sources/{name}/sign-out': audited({
    right: 'sources',
    about: 'Removes the tokens of a sign-in, and asks the authorization server to forget them',
    params,
    target: ({ params }) => params.name,
    answer: sourceState,
  }),
  'PUT /api/sources/{name}/directory': audited({
    right: 'sources',
    about: 'Lets the tools of an llm-functions directory run there until Toolscope ends; empty: as before',
    params,
    body: z.object({ directory: z.string().max(4_096) }),
    target: ({ params, body }) => `${params.name} directory=${body.directory}`,
    answer: sourceState,
  }),
  'PUT /api/sources/{name}/call-settings': audited({
    right: 'sources',
    about:
      'Sets how its tools are called. A change of its era, sampling, roots or own tools opens it again, which ends its calls. Kept for a source of the page, else until Toolscope ends',
    params,
    body: callSettings,
    target: ({ params, body }) =>
      joinTarget(params.name, ...Object.entries(body).map(([key, value]) => `${key}=${value}`)),
    answer: sourceState,
  }),
  'GET /api/sources/{name}/log': {
    right: 'read',
    about: 'The last 1,000 lines of the source’s log, at most 256 KiB; empty if it has no log',
    params,
    answer: z.object({ lines: list(logLine) }),
  },
})
