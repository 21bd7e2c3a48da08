/** Lists the catalog's tools for MCP: legal and unique names, and schemas that every client can read. */

import { isObject, own, type UnknownObject, withoutUndefined } from '../../core/json/json.ts'
import { type KnownName, legalNames } from '../../core/prompt/legal-names.ts'
import { getTaskSupport } from '../../core/tool/task.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'

export interface ServedTool {
  readonly tool: Tool
  readonly entry: { readonly name: string; readonly [key: string]: unknown }
  /** Whether clients receive an output schema and therefore expect structured content. */
  readonly typed: boolean
}

export interface Selection {
  /** Only one agent's tools, by reference: its own, listed under their plain names, and the shared ones. */
  readonly agent?:
    | {
        readonly source: string
        readonly name: string
        readonly own: ReadonlySet<string>
        readonly shared: ReadonlySet<string>
      }
    | undefined
  /** Without `agent`: the agents whose tools are served in addition to those of the trees' roots. */
  readonly agents: 'all' | readonly string[]
  /** Only tools that belong to an agent (llm-functions' AGENT_TOOLS_ONLY). */
  readonly agentToolsOnly: boolean
}

/**
 * Selects the tools that llm-functions' own server lists: built tools that no bridge provides, of the root or of an
 * agent.
 */
function isChosen({ ref, extra }: Tool, { agent, agents, agentToolsOnly }: Selection): boolean {
  if (extra?.throughBridge === true || extra?.unbuilt === true) return false
  if (agentToolsOnly && extra?.agent !== true) return false
  if (agent !== undefined) return agent.own.has(ref) || agent.shared.has(ref)
  const { agentName, sharedBy = agentName === undefined ? undefined : [agentName] } = extra ?? {}
  return !Array.isArray(sharedBy) || agents === 'all' || sharedBy.some(name => agents.includes(name))
}

/** @param known see `SourceNames` */
export function servedTools(
  tools: readonly Tool[],
  selection: Selection,
  known: readonly KnownName[] = [],
): readonly ServedTool[] {
  const { agent } = selection
  const chosen = tools.filter(tool => tool.callable && isChosen(tool, selection))
  const isOwn = ({ source, extra }: Tool) => source === agent?.source && extra?.agentName === agent.name
  // The agent's own tools are named first, also those that are not built: no list of an agent decides what a name means.
  const inTurn = [...tools.filter(isOwn), ...chosen.filter(tool => !isOwn(tool))]
  const made = legalNames(
    inTurn.map(tool => ({ ...tool, name: shortName(tool, agent !== undefined) })),
    { known },
  )
  const names = new Map(inTurn.map((tool, index) => [tool, made[index] ?? '']))
  return chosen.map(tool => serve(tool, names.get(tool) ?? ''))
}

function shortName(tool: Tool, ofOneAgent: boolean): string {
  const short = tool.extra?.functionName
  return ofOneAgent && typeof short === 'string' ? short : tool.name
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
      inputSchema: toObjectSchema(tool.inputSchema),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(annotations === undefined ? {} : { annotations: plainAnnotations(annotations) }),
      ...(Array.isArray(icons) ? { icons } : {}),
      // A tool that must be a task can also be called without one, because Toolscope waits for its task.
      ...(getTaskSupport(tool) === 'forbidden' ? {} : { execution: { taskSupport: 'optional' } }),
    },
  }
}

/** A client refuses the whole list because of one hint of the wrong type. */
function plainAnnotations(annotations: object): object {
  const valid = Object.entries(annotations).filter(([key, value]) =>
    key === 'title' ? typeof value === 'string' : typeof value === 'boolean',
  )
  return Object.fromEntries(valid)
}

/**
 * Returns the schema of the arguments, which are an object whatever it says, in the form that MCP requires: so no other form
 * hides its texts and limits from clients.
 */
function toObjectSchema(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return { type: 'object' }
  const { type = 'object', properties, ...rest } = schema
  const written = {
    ...rest,
    type: Array.isArray(type) && type.includes('object') ? 'object' : type,
    ...withoutUndefined({ properties: isObject(properties) ? toObjects(properties) : properties }),
  }
  return isObjectSchema(written) ? written : { type: 'object' }
}

const toObjects = (properties: UnknownObject): UnknownObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      part === true ? {} : part === false ? { not: {} } : part,
    ]),
  )

/** MCP requires an object at the root; `properties` and `required`, if present, must have the right type. */
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
