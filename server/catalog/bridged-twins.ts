import type { Tool } from '../../core/tool/tool.ts'

/**
 * Tools that a functions.json took over from the bridge (`mcp`), where the bridge itself is a source as well: each
 * hidden one, and the one that is shown in its place. Both bear the same name and the same server.
 */
export function bridgedTwins(sources: readonly (readonly Tool[])[]): ReadonlyMap<Tool, Tool> {
  const keyOf = (tool: Tool) => JSON.stringify([tool.name, tool.extra?.mcp])
  const bridged = sources.flat().filter(tool => tool.extra?.mcp !== undefined)
  const shown = new Map(
    bridged.filter(tool => tool.callable && !isTakenOver(tool)).map(tool => [keyOf(tool), tool]),
  )
  return new Map(
    bridged.filter(isTakenOver).flatMap(tool => {
      const twin = shown.get(keyOf(tool))
      return twin === undefined ? [] : [[tool, twin] as const]
    }),
  )
}

const isTakenOver = (tool: Tool) => tool.extra?.throughBridge === true
