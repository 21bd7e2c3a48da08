/** The catalog's tools as MCP lists them: legal and unique names, schemas that every client can read. */
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import { uniqueNames } from '../bridge/tool-names.ts'

/** What model providers take as a name; MCP itself allows a little more. */
const MAX_NAME = 64
const illegal = /[^a-zA-Z0-9_-]+/g

export interface ServedTool {
  readonly tool: Tool
  /** The entry of `tools/list`. */
  readonly entry: { readonly name: string; readonly [key: string]: unknown }
  /** Whether a client was told to expect structured content. */
  readonly typed: boolean
}

export interface Selection {
  /** Only one agent's tools, by reference: its own, shown under their plain names, and those it shares with others. */
  readonly agent?: { readonly own: ReadonlySet<string>; readonly shared: ReadonlySet<string> } | undefined
  /** Only tools that belong to an agent (llm-functions' AGENT_TOOLS_ONLY). */
  readonly agentToolsOnly: boolean
}

export function servedTools(
  tools: readonly Tool[],
  { agent, agentToolsOnly }: Selection,
): readonly ServedTool[] {
  const chosen = tools.filter(tool => {
    if (!tool.callable || (agentToolsOnly && tool.extra?.agent !== true)) return false
    return agent === undefined || agent.own.has(tool.ref) || agent.shared.has(tool.ref)
  })
  const plain = chosen.map(tool => legalName(shortName(tool, agent !== undefined)))
  const count = new Map<string, number>()
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1)
  // Two sources with a tool of one name: the source's name tells them apart, as in a bridge.
  const several = new Set(chosen.map(tool => tool.source)).size > 1
  const names = uniqueNames(
    chosen.map((tool, index) => {
      const name = plain[index] ?? ''
      return several && (count.get(name) ?? 0) > 1 ? legalName(`${tool.source}_${name}`) : name
    }),
  )
  return chosen.map((tool, index) => serve(tool, names[index] ?? ''))
}

function shortName(tool: Tool, ofOneAgent: boolean): string {
  const short = tool.extra?.functionName
  return ofOneAgent && typeof short === 'string' ? short : tool.name
}

function legalName(name: string): string {
  // Room is left for what makes a name unique.
  return name.replace(illegal, '_').slice(0, MAX_NAME - 4) || 'tool'
}

function serve(tool: Tool, name: string): ServedTool {
  const outputSchema = isObjectSchema(tool.outputSchema) ? tool.outputSchema : undefined
  const title = name === tool.name ? tool.title : tool.title ? `${tool.title} (${tool.name})` : tool.name
  const { description, annotations } = tool
  const icons = tool.extra?.icons
  return {
    tool,
    typed: outputSchema !== undefined,
    entry: {
      name,
      ...withoutUndefined({ title, description }),
      inputSchema: isObjectSchema(tool.inputSchema) ? tool.inputSchema : { type: 'object' },
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(annotations === undefined ? {} : { annotations: plainAnnotations(annotations) }),
      ...(Array.isArray(icons) ? { icons } : {}),
    },
  }
}

/** A client refuses the whole list for one hint of the wrong type. */
function plainAnnotations(annotations: object): object {
  const kept = Object.entries(annotations).filter(([key, value]) =>
    key === 'title' ? typeof value === 'string' : typeof value === 'boolean',
  )
  return Object.fromEntries(kept)
}

/** MCP wants an object at the root; `properties` and `required`, where they stand, must be what they are called. */
function isObjectSchema(schema: JsonSchema | undefined): schema is { readonly [keyword: string]: unknown } {
  if (!isObject(schema) || own(schema, 'type') !== 'object') return false
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  const goodProperties =
    properties === undefined || (isObject(properties) && Object.values(properties).every(isObject))
  const goodRequired =
    required === undefined || (Array.isArray(required) && required.every(name => typeof name === 'string'))
  return goodProperties && goodRequired
}
