import { type Agent, type AgentTool, toolsText } from '../../core/agent/agent.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Session } from '../sources/source.ts'

/**
 * The agents of a source: each tool by its reference, and the values of the built-in variables.
 *
 * @param tools the tools of this source
 */
export function agentsOfSource(source: string, session: Session, tools: readonly Tool[]): Agent[] {
  const environment = session.agentEnvironment?.()
  if (environment === undefined) return []
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const toAgentTool = (name: string): AgentTool => {
    const tool = byName.get(name)
    if (tool === undefined) return { name }
    const { ref, description } = tool
    return { ref, name, ...(description === undefined ? {} : { description }) }
  }
  return (session.agents?.() ?? []).map(agent => {
    const ownTools = agent.ownTools.map(toAgentTool)
    const sharedTools = agent.sharedTools.map(toAgentTool)
    // The model knows an own tool by its function's name, without the agent's.
    const ownFunctions = ownTools.map(tool => ({ ...tool, name: tool.name.slice(agent.name.length + 1) }))
    const __tools__ = toolsText([...ownFunctions, ...sharedTools])
    return { ...agent, source, ownTools, sharedTools, builtIn: { ...environment, __tools__ } }
  })
}
