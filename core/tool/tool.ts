/**
 * The one shape every tool has once it is read, whatever format it came in.
 * Names follow MCP's `Tool` (https://modelcontextprotocol.io/specification, server/tools).
 */

/** A JSON Schema of any draft: `true`, `false` or an object. Never trusted: it is the source's text. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** MCP's hints about a tool's behaviour. They come from an untrusted party: show them, do not rely on them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as its source's manifest lists it. */
export interface ManifestTool {
  /** The source's own name, kept to the letter. A space separates nested commands (`api greet`). */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /**
   * What the format says beyond the fields above (`mcp`, `agent`, `_meta`, examples …), by its own keys. A
   * functions directory adds what it found out (FunctionExtra in agent/function-extra.ts), `confirm` among it.
   */
  readonly extra?: { readonly [key: string]: unknown }
}

/** A tool in the catalog: a manifest's tool, and where it lives. */
export interface Tool extends ManifestTool {
  /**
   * Its address in the catalog: `source/name`, and `source/name~2` for the second tool of that name in one source.
   * Look it up, never take it apart: a name may hold `/` and `~` itself.
   */
  readonly ref: string
  /** The source's name in the catalog. */
  readonly source: string
  /** Position in the source's manifest, from 0. */
  readonly index: number
  /** False where the source can only be looked at (a manifest file) or the tool is documentation. */
  readonly callable: boolean
}

/** Something wrong with one entry (or, without `index`, with a part) of a manifest; the others are unharmed. */
export interface ManifestProblem {
  /** Position of the entry in the list that the source gave, from 0. */
  readonly index?: number
  /** The entry's name where it has one. */
  readonly name?: string
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}

/** One source's list of tools, as read. */
export interface Manifest {
  readonly tools: readonly ManifestTool[]
  readonly problems: readonly ManifestProblem[]
  /**
   * Which part of the list could not be read, and why. Such a list is no version; a complete one that was read before
   * stands.
   */
  readonly incomplete?: string
  /** Which documented shape it had, for people: `MCP tools/list`, `--llms manifest` … */
  readonly format: string
  /** How the source says its tools are called (an `--llms` program's reserved `help` entry). Hostile text. */
  readonly callingConvention?: string
  /** What the source says of itself to a model (MCP server instructions). Hostile text. */
  readonly instructions?: string
}

/** The segments of a space-separated name: `api greet` → `['api', 'greet']`. A name of spaces alone stays whole. */
export function nameSegments(name: string): string[] {
  const segments = name.split(' ').filter(segment => segment !== '')
  return segments.length > 0 ? segments : [name]
}
