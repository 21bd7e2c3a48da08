import type { Agent } from '../../../core/tool/agent.ts'
import type { Tool } from '../../../core/tool/tool.ts'

/** How the URL and the kept values call an agent. Neither part holds a slash. */
export function agentId(agent: Pick<Agent, 'source' | 'name'>): string {
  return `${agent.source}/${agent.name}`
}

/**
 * The agent that a tool is called for: the one the place names, where the tool is one of its tools; else the agent
 * whose own tool it is. Undefined for a tool without an agent.
 */
export function agentOfTool(
  agents: readonly Agent[],
  tool: Pick<Tool, 'ref'>,
  named: string | undefined,
): Agent | undefined {
  const has = (list: Agent['ownTools']) => list.some(each => each.ref === tool.ref)
  const chosen = agents.find(agent => agentId(agent) === named)
  if (chosen && (has(chosen.ownTools) || has(chosen.sharedTools))) return chosen
  return agents.find(agent => has(agent.ownTools))
}
