import type { Agent } from '../../../core/tool/agent.ts'
import type { Tool } from '../../../core/tool/tool.ts'

/** Returns the agent's id in the URL and in storage. The source and the name contain no slash. */
export function agentId(agent: Pick<Agent, 'source' | 'name'>): string {
  return `${agent.source}/${agent.name}`
}

/**
 * Returns the agent that a tool is called for: the one that the URL names if it has the tool, else the owner of the
 * tool. Undefined for a tool without an agent.
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
