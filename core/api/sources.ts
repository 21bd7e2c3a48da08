/** Sources: what is open, how each one is, and opening, refreshing and stopping it. */
import { z } from 'zod'
import { defineEndpoints, list } from './endpoint.ts'
import { appError, manifestProblem } from './shapes.ts'

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
  /** The option that takes the input, where it is not `--json`. */
  inputFlag: z.string().exactOptional(),
})
export type SourceAbout = z.infer<typeof sourceAbout>

const sourceState = sourceAbout.extend({
  name: z.string(),
  /** `llms-program`, `manifest-file` … */
  kind: z.string(),
  /** What it is, for people: `node examples/acme/acme.mjs`. Secrets masked. */
  label: z.string(),
  /** Where its tools run, absolute; absent where the user cannot choose it. */
  directory: z.string().exactOptional(),
  /** The argument that names it on the command line (its file, of an mcp.json). Secrets masked. */
  argument: z.string().exactOptional(),
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

/** `examples` are sources that ship with the program: offered by the page, opened only when the user says so. */
const sourceList = z.object({
  sources: list(sourceState),
  examples: list(z.object({ name: z.string(), about: z.string(), input: z.string() })),
})
export type SourceList = z.infer<typeof sourceList>

const params = z.object({ name: z.string() })

export const sourceEndpoints = defineEndpoints({
  'GET /api/sources': { right: 'read', about: 'The sources and their states', answer: sourceList },
  'POST /api/sources': {
    right: 'sources',
    about: 'Opens what a user typed, as on the command line',
    body: z.object({ input: z.string().min(1).max(10_000) }),
    answer: sourceState,
    status: 201,
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
  'DELETE /api/sources/{name}': {
    right: 'sources',
    about: 'Closes the source and takes it out of the list until Toolscope ends; the answer is the list',
    params,
    answer: sourceList,
  },
  'POST /api/sources/{name}/restore': {
    right: 'sources',
    about: 'Puts a source back that was removed, as it was: open or stopped',
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
    about: 'The end of what the source wrote beside its answers, 64 KiB at most; empty where it keeps no log',
    params,
    answer: z.object({ text: z.string() }),
  },
})
