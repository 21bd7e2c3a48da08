/** The tools that a bridge shows: those of every server that is up, under names of their own. */
import { withoutUndefined } from '../../core/json/json.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { bridgeName, uniqueNames } from './tool-names.ts'

export interface BridgeTool {
  readonly name: string
  readonly tool: Tool
}

export interface BridgeTools {
  readonly list: readonly BridgeTool[]
  get(name: string): BridgeTool | undefined
}

/** Built anew after each change of the catalog. `unprefixed` names the sources that show their tools bare. */
export function bridgeTools(catalog: Catalog, unprefixed: ReadonlySet<string>): () => BridgeTools {
  let built: BridgeTools | undefined
  catalog.sources.onChange(() => {
    built = undefined
  })
  return () => {
    built ??= build(catalog, unprefixed)
    return built
  }
}

function build(catalog: Catalog, unprefixed: ReadonlySet<string>): BridgeTools {
  const tools = catalog.tools.list().filter(tool => tool.callable)
  const names = uniqueNames(
    tools.map(tool => bridgeName(tool.source, tool.name, !unprefixed.has(tool.source))),
  )
  const list = tools.map((tool, index) => ({ name: names[index] ?? tool.name, tool }))
  const byName = new Map(list.map(entry => [entry.name, entry]))
  return { list, get: name => byName.get(name) }
}

/** An entry of `GET /tools`; `full` adds what the protocol never had. */
export function declaration({ name, tool }: BridgeTool, full: boolean): object {
  const { description = '', inputSchema, source } = tool
  const plain = { name, description, parameters: inputSchema, mcp: source }
  if (!full) return plain
  const { title = tool.name, outputSchema, annotations } = tool
  return {
    ...plain,
    title,
    ...withoutUndefined({ outputSchema, annotations }),
  }
}
