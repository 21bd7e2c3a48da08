/**
 * The shape that every tool has after it was read, whatever format it had.
 * Names follow MCP's `Tool` (https://modelcontextprotocol.io/specification, server/tools).
 */

/** A JSON Schema of any draft: `true`, `false` or an object. It is the source's text, so it is never trusted. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** MCP's hints about a tool's behaviour. They are untrusted: show them, do not rely on them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as its source's manifest lists it. */
export interface ManifestTool {
  /** The source's own name, unchanged. A space separates nested commands (`api greet`). */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /**
   * Fields of the format besides those above (`mcp`, `agent`, `_meta`, examples …), by its own keys. A functions
   * directory adds FunctionExtra (function-extra.ts).
   */
  readonly extra?: { readonly [key: string]: unknown }
  /**
   * The schemas that were converted into JSON Schema, as the manifest has them. Only for display: versions and exports do
   * not contain them.
   */
  readonly writtenSchemas?: { readonly inputSchema?: JsonSchema; readonly outputSchema?: JsonSchema }
  /**
   * The server's own tool that calls this one, if the server does not list it itself. Confirm rules for that tool apply
   * to this one too. Never from the manifest; versions and exports do not contain it.
   */
  readonly calledBy?: string
}

/** The kinds of entries that an MCP server offers besides tools. */
export type SurfaceKind = 'prompt' | 'resource' | 'template' | 'skill'

/** A tool, or a prompt, resource, template or skill in the shape of a tool (surface.ts). */
export interface Callable extends ManifestTool {
  /** Absent for a tool. */
  readonly kind?: SurfaceKind
  /** The address of a resource or of a skill's SKILL.md, or the RFC 6570 template of a template. */
  readonly uri?: string
  /** The MIME type of a resource or template, as the server states it. */
  readonly mimeType?: string
  readonly skill?: SkillContents
}

/** A tool in the catalog, or an entry of the same shape, and its location. */
export interface Tool extends Callable {
  /**
   * Its reference in the catalog: `source/name`, and `source/name~2` for the second tool of that name in one source;
   * `source/prompts/name`, `source/resources/uri`, `source/templates/uri` and `source/skills/uri` for the other kinds. Look it up, never
   * parse it: a name may contain `/` and `~` itself.
   */
  readonly ref: string
  /** The source's name in the catalog. */
  readonly source: string
  /** Position in the source's manifest, from 0. */
  readonly index: number
  /** False if the source can only be read (a manifest file) or if the tool is documentation. */
  readonly callable: boolean
}

/** A fault in one entry of a manifest, or, without `index`, in a part of it. Other entries are not affected. */
export interface ManifestProblem {
  /** Position of the entry in the source's list, from 0. */
  readonly index?: number
  /** The entry's name, if it has one. */
  readonly name?: string
  /** The fault, in one sentence. */
  readonly message: string
  /** How to mend it. */
  readonly hint?: string
  /**
   * Why the input schema could not be read; without `index` and `name`, that of every entry. The catalog then accepts any
   * object as input; a diff says so.
   */
  readonly unreadInput?: string
}

/** The reason of `unreadInput` for an entry without an input schema. */
export const missingInput = 'it is missing'

/** The fields that prompts, resources, templates and skills share. */
interface SurfaceText {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** The entry's other keys (`annotations`, `icons`, `size`, `_meta`), unchanged. */
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

/** MCP's `ResourceTemplate`; its URI template follows RFC 6570. */
export interface ManifestTemplate extends SurfaceText {
  readonly uriTemplate: string
  readonly mimeType?: string
}

/** A file of a skill, as the server lists it. */
export interface SkillFile {
  readonly uri: string
  /** SHA-256 of its bytes: `sha256:` and 64 hex digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

export interface SkillContents {
  /** `dynamic`: the server makes the files when they are read, so their digests are unknown. */
  readonly files: readonly SkillFile[] | 'dynamic'
  /** The Markdown of SKILL.md after its frontmatter, if it was read and has the listed digest. Hostile text. */
  readonly text?: string
}

/** A skill of the MCP extension `io.modelcontextprotocol/skills` (SEP-2640). */
export interface ManifestSkill extends SurfaceText, SkillContents {
  /** The address of its SKILL.md. */
  readonly uri: string
}

/** MCP's `Icon`. Hostile: only a `data:` address is shown, and no address is fetched. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: string
}

/** The entries that an MCP server offers besides tools. A list that is empty or was not read is absent. */
export interface Surface {
  readonly prompts?: readonly ManifestPrompt[]
  readonly resources?: readonly ManifestResource[]
  readonly resourceTemplates?: readonly ManifestTemplate[]
  readonly skills?: readonly ManifestSkill[]
  /** The declared capabilities, without `tools`. Absent if a server declares only tools. */
  readonly capabilities?: { readonly [name: string]: unknown }
  /** The server's own icons. */
  readonly icons?: readonly Icon[]
}

/** One source's list of tools, with its surface, as read. */
export interface Manifest extends Surface {
  readonly tools: readonly ManifestTool[]
  readonly problems: readonly ManifestProblem[]
  /**
   * Which part of the list could not be read, and why. Such a list is not kept as a version; the last complete list
   * stays in use.
   */
  readonly incomplete?: string
  /** The documented format that was recognised, for the user: `MCP tools/list`, `--llms manifest` … */
  readonly format: string
  /** The source's text on how to call its tools (an `--llms` program's reserved `help` entry). Hostile text. */
  readonly callingConvention?: string
  /** The source's instructions for a model (MCP server instructions). Hostile text. */
  readonly instructions?: string
  /** The revision of MCP that the list was read with: `2025-11-25`. */
  readonly protocolVersion?: string
}

/**
 * Returns the segments of a space-separated name: `api greet` → `['api', 'greet']`. A name of only spaces stays whole.
 */
export function nameSegments(name: string): string[] {
  const segments = name.split(' ').filter(segment => segment !== '')
  return segments.length > 0 ? segments : [name]
}
