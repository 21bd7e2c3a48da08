/** Sources: what is open, how each one is, and opening, refreshing and stopping it. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { appError, icon, manifestProblem } from '../tool/shapes.ts'
import { defineEndpoints } from './endpoint.ts'
import { sourceEntry, sourceName } from './source-entry.ts'

/**
 * `opening` and `starting`: on the way (the second where a server of its own is being started) · `degraded`: the last
 * good list stands, `error` says what is wrong · `stopped`: known, but nothing of it runs.
 */
export const sourceStatus = z.enum(['opening', 'starting', 'ready', 'degraded', 'failed', 'stopped'])
export type SourceStatus = z.infer<typeof sourceStatus>

/** What the other side says of itself. Hostile text. */
const sourceAbout = z.object({
  /** The negotiated revision of its protocol: `2025-11-25`. */
  protocol: z.string().exactOptional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).exactOptional(),
  /**
   * `needed`: the server wants the user to sign in, or to sign in again for more rights · `done`: calls carry the token
   * of a sign-in. Absent where the server never asked.
   */
  signIn: z.enum(['needed', 'done']).exactOptional(),
  /** The option that takes the input, where it is not `--json`. */
  inputFlag: z.string().exactOptional(),
})
export type SourceAbout = z.infer<typeof sourceAbout>

export const sourceState = sourceAbout.extend({
  name: z.string(),
  /** `llms-program`, `manifest-file` … */
  kind: z.string(),
  /** What it is, for people: `node examples/acme/acme.mjs`. Secrets masked. */
  label: z.string(),
  /** Where its tools run, absolute; absent where the user cannot choose it. */
  directory: z.string().exactOptional(),
  /** The argument that names it on the command line (its file, of an mcp.json). Secrets masked. */
  argument: z.string().exactOptional(),
  /**
   * What named it: the page, which keeps it and can change it, or a file, where it is changed; absent: the command line.
   * `file` is absolute.
   */
  origin: z.object({ from: z.enum(['page', 'file']), file: z.string().exactOptional() }).exactOptional(),
  /** Names that it had before, the newest last: calls stay under the name of their time. */
  formerNames: list(z.string()).exactOptional(),
  status: sourceStatus,
  /** Whether the user has agreed to what it starts; absent where no configuration that was found names it. */
  trusted: z.boolean().exactOptional(),
  /** How many of its tools the catalog shows. */
  toolCount: z.number(),
  /** Tools of its list that another source provides, and that are shown there; absent when there are none. */
  hiddenTools: z.number().exactOptional(),
  callable: z.boolean(),
  /** Which documented shape its manifest had. */
  format: z.string().exactOptional(),
  callingConvention: z.string().exactOptional(),
  instructions: z.string().exactOptional(),
  /** What an MCP server declares beside tools, and its icons: hostile, and remote ones are not fetched. */
  capabilities: z.record(z.string(), z.unknown()).exactOptional(),
  icons: list(icon).exactOptional(),
  /** How many prompts, resources and templates it has; absent where it has none. */
  surface: z.object({ prompts: z.number(), resources: z.number(), templates: z.number() }).exactOptional(),
  problems: list(manifestProblem),
  /** Why it failed; with `degraded`, why the newest refresh failed while the last good list stands. */
  error: appError.exactOptional(),
  /** ISO 8601: when the list was last read. */
  refreshedAt: z.string().exactOptional(),
  /** How long reading took. */
  durationMs: z.number().exactOptional(),
  /** Whether `log` has something to show. */
  hasLog: z.boolean().exactOptional(),
})
export type SourceState = z.infer<typeof sourceState>

/**
 * `examples` are sources that ship with the program: offered by the page, opened only when the user says so. `removed`
 * are those that `restore` can put back.
 */
const sourceList = z.object({
  sources: list(sourceState),
  removed: list(z.object({ name: z.string(), label: z.string() })),
  examples: list(z.object({ name: z.string(), about: z.string(), input: z.string() })),
})
export type SourceList = z.infer<typeof sourceList>

/** A source that a text names: its entry, or why it cannot be used. */
const foundSource = z.object({
  /** The proposed one. */
  name: z.string(),
  /** For people, secrets masked. */
  about: z.string(),
  entry: sourceEntry.exactOptional(),
  problem: z.string().exactOptional(),
})
export type FoundSource = z.infer<typeof foundSource>

/** What a text was recognised as. `one`: its sources are ways to the same server. */
const recognised = z.object({
  about: z.string(),
  choose: z.enum(['one', 'several']),
  sources: list(foundSource),
})
export type Recognised = z.infer<typeof recognised>

/** What toolscope.json would be with a source in it. */
const configChange = z.object({
  /** Absolute. */
  file: z.string(),
  /** Null where there is no such file yet. */
  before: z.string().nullable(),
  after: z.string(),
  /** What the user has to know of it. */
  notes: list(z.string()),
})
export type ConfigChange = z.infer<typeof configChange>

const params = z.object({ name: z.string() })
const chosenName = sourceName.max(200).regex(/^\S+$/, 'a source name holds no space')

export const sourceEndpoints = defineEndpoints({
  'GET /api/sources': { right: 'read', about: 'The sources and their states', answer: sourceList },
  'POST /api/sources': {
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
    answer: sourceState,
    status: 201,
  },
  'POST /api/sources/probe': {
    right: 'sources',
    about:
      'Opens a source, reads its list and closes it; `name`: the source whose masked secrets the entry has',
    body: z.object({ entry: sourceEntry, name: z.string().optional() }),
    answer: sourceState,
  },
  'POST /api/sources/recognise': {
    right: 'sources',
    about: 'What a file or a pasted text names: a manifest, an mcp.json, one entry, a server.json',
    body: z.object({ name: z.string().max(200), text: z.string() }),
    answer: recognised,
  },
  'POST /api/manifests': {
    right: 'sources',
    about: 'Opens a manifest from its text, under the name of its file',
    body: z.object({ name: z.string().min(1).max(200), text: z.string() }),
    answer: sourceState,
    status: 201,
  },
  'POST /api/sources/{name}/refresh': {
    right: 'call',
    about: 'Reads the list of tools again',
    params,
    answer: sourceState,
  },
  'POST /api/sources/{name}/restart': {
    right: 'sources',
    about: 'Closes the source where it is open, then opens it',
    params,
    answer: sourceState,
  },
  'POST /api/sources/{name}/stop': {
    right: 'sources',
    about: 'Closes the source and keeps it in the list',
    params,
    answer: sourceState,
  },
  'GET /api/sources/{name}/entry': {
    right: 'sources',
    about: 'What the user gave for a source that was added in the page, its secrets masked',
    params,
    answer: z.object({ entry: sourceEntry }),
  },
  'PUT /api/sources/{name}': {
    right: 'sources',
    about:
      'Renames a source that was added in the page, opens it in another way, or both; a failure changes nothing',
    params,
    body: z.object({ name: chosenName.optional(), entry: sourceEntry.optional() }),
    answer: sourceState,
  },
  'GET /api/sources/{name}/config-change': {
    right: 'sources',
    about: 'What "Save to toolscope.json" would write',
    params,
    answer: configChange,
  },
  'POST /api/sources/{name}/config-change': {
    right: 'sources',
    about: 'Writes the source to toolscope.json, where the file is still as it was shown (`before`)',
    params,
    body: z.object({ before: z.string().nullable() }),
    answer: configChange,
  },
  'DELETE /api/sources/{name}': {
    right: 'sources',
    about:
      'Closes the source and takes it out of the list: for good where the page added it, else until Toolscope ends; the answer is the list',
    params,
    answer: sourceList,
  },
  'POST /api/sources/{name}/restore': {
    right: 'sources',
    about: 'Puts a source back that was removed, as it was: open or stopped',
    params,
    answer: sourceState,
  },
  'POST /api/sources/{name}/sign-in': {
    right: 'sources',
    about:
      'Begins a sign-in at a remote server. Open `url` in a browser; the source opens when it comes back. Absent: no browser is needed',
    params,
    answer: z.object({ url: z.string().exactOptional() }),
  },
  'POST /api/sources/{name}/sign-out': {
    right: 'sources',
    about: 'Removes the tokens of a sign-in, and asks the authorization server to forget them',
    params,
    answer: sourceState,
  },
  'PUT /api/sources/{name}/directory': {
    right: 'sources',
    about: 'Lets the tools of an llm-functions directory run there until Toolscope ends; empty: as before',
    params,
    body: z.object({ directory: z.string().max(4_096) }),
    answer: sourceState,
  },
  'GET /api/sources/{name}/log': {
    right: 'read',
    about: 'The end of what the source wrote besides its answers, 64 KiB at most; empty if it has no log',
    params,
    answer: z.object({ text: z.string() }),
  },
})
