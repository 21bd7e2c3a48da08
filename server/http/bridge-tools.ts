/** The tools that a bridge lists: those of every open server, under unique names. */

import { withoutUndefined } from '../../core/json/json.ts'
import { numbered } from '../../core/prompt/legal-names.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Catalog } from '../catalog/catalog.ts'

export interface BridgeTool {
  readonly name: string
  readonly tool: Tool
}

export interface BridgeTools {
  readonly list: readonly BridgeTool[]
  get(name: string): BridgeTool | undefined
}

/** Rebuilds the list after each change of the tools. `unprefixed` names the sources whose tools get no prefix. */
export function bridgeTools(catalog: Catalog, unprefixed: ReadonlySet<string>): () => BridgeTools {
  return catalog.sources.cached(() => build(catalog, unprefixed))
}

function build(catalog: Catalog, unprefixed: ReadonlySet<string>): BridgeTools {
  const tools = catalog.tools.list().filter(tool => tool.callable)
  const names = numbered(tools.map(tool => bridgeName(tool.source, tool.name, !unprefixed.has(tool.source))))
  const list = tools.map((tool, index) => ({ name: names[index] ?? tool.name, tool }))
  const byName = new Map(list.map(entry => [entry.name, entry]))
  return { list, get: name => byName.get(name) }
}

/** `Files` and `read-file` → `files_read_file`; without the server's name if its entry has `"prefix": false`. */
export function bridgeName(server: string, tool: string, prefix: boolean): string {
  return (prefix ? `${server}_${tool}` : tool).toLowerCase().replaceAll('-', '_')
}

/** Returns an entry of `GET /tools`; `full` adds fields that are not part of the llm-functions protocol. */
export function declaration({ name, tool }: BridgeTool, full: boolean): object {
  const { description = '', inputSchema, source } = tool
  const plain = { name, description, parameters: inputSchema, mcp: source }
  if (!full) return plain
  const { title = tool.name, outputSchema, annotations } = tool
  return withoutUndefined({ ...plain, title, outputSchema, annotations })
}
