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

/** What an MCP server offers beside tools. */
export type SurfaceKind = 'prompt' | 'resource' | 'template'

/** What can be called: a tool, or what a server offers beside tools in the shape of one (surface.ts). */
export interface Callable extends ManifestTool {
  /** Absent for a tool. */
  readonly kind?: SurfaceKind
  /** The address of a resource, or the RFC 6570 template of a template. */
  readonly uri?: string
  /** Of a resource or template, as the server says it. */
  readonly mimeType?: string
}

/** A tool in the catalog, or what has the shape of one: a manifest's tool, and where it lives. */
export interface Tool extends Callable {
  /**
   * Its address in the catalog: `source/name`, and `source/name~2` for the second tool of that name in one source;
   * `source/prompts/name`, `source/resources/uri` and `source/templates/uri` for the rest.
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

/** What prompts, resources and templates share. */
interface SurfaceText {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** What else the entry says (`annotations`, `icons`, `size`, `_meta`), by its own keys. */
  readonly extra?: { readonly [key: string]: unknown }
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** MCP's `Prompt`. */
export interface ManifestPrompt extends SurfaceText {
  readonly arguments?: readonly PromptArgument[]
}

/** MCP's `Resource`. */
export interface ManifestResource extends SurfaceText {
  readonly uri: string
  readonly mimeType?: string
}

/** MCP's `ResourceTemplate`; its URI template is one of RFC 6570. */
export interface ManifestTemplate extends SurfaceText {
  readonly uriTemplate: string
  readonly mimeType?: string
}

/** MCP's `Icon`. Hostile: only a `data:` address is ever shown, none is fetched. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: string
}

/** What an MCP server offers beside tools. A list that is empty or was not read is absent. */
export interface Surface {
  readonly prompts?: readonly ManifestPrompt[]
  readonly resources?: readonly ManifestResource[]
  readonly resourceTemplates?: readonly ManifestTemplate[]
  /** What it declares, without `tools`: a server of tools alone has none. */
  readonly capabilities?: { readonly [name: string]: unknown }
  /** The server's own icons. */
  readonly icons?: readonly Icon[]
}

/** One source's list of tools, and what it offers beside them, as read. */
export interface Manifest extends Surface {
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
  /** The revision of MCP that the list was read with: `2025-11-25`. */
  readonly protocolVersion?: string
}

/** The segments of a space-separated name: `api greet` → `['api', 'greet']`. A name of spaces alone stays whole. */
export function nameSegments(name: string): string[] {
  const segments = name.split(' ').filter(segment => segment !== '')
  return segments.length > 0 ? segments : [name]
}
