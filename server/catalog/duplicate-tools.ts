/** The tools that a functions directory and its bridge list, which are shown once. */
import type { Tool } from '../../core/tool/tool.ts'

/**
 * Finds tools that are listed twice. A functions.json also lists the tools of its bridge (`throughBridge`). If the
 * bridge is a source too, its own tools are shown: those with the same name and the same MCP server.
 */
export function findDuplicates(bridged: readonly Tool[]): ReadonlyMap<Tool, Tool> {
  const toMcpKey = (tool: Tool) => JSON.stringify([tool.name, tool.extra?.mcp])
  const isThroughBridge = (tool: Tool) => tool.extra?.throughBridge === true
  const direct = new Map(
    bridged.filter(tool => tool.callable && !isThroughBridge(tool)).map(tool => [toMcpKey(tool), tool]),
  )
  return new Map(
    bridged.filter(isThroughBridge).flatMap(tool => {
      const visible = direct.get(toMcpKey(tool))
      return visible === undefined ? [] : [[tool, visible] as const]
    }),
  )
}

/**
 * Returns the shown tools whose hidden duplicate has a rule (LLM_MCP_NEED_CONFIRM), each with the rule. A rule that
 * asks has priority.
 */
export function addRules(duplicates: ReadonlyMap<Tool, Tool>): ReadonlyMap<Tool, Tool> {
  const ruled = new Map<Tool, Tool>()
  for (const [hidden, visible] of duplicates) {
    const confirm = [hidden, ruled.get(visible) ?? visible].map(tool => tool.extra?.confirm)
    if (confirm.some(each => typeof each === 'boolean'))
      ruled.set(visible, { ...visible, extra: { ...visible.extra, confirm: confirm.includes(true) } })
  }
  return ruled
}
