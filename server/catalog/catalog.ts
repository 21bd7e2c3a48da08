/** The catalog: its sources, the index of their tools, and what a call or an agent needs of both. */

import { type Agent, type AgentTool, toolsText } from '../../core/agent/agent.ts'
import type { ToolForms } from '../../core/form/tool-forms.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Session, SourceContext } from '../sources/source.ts'
import { SourceRegistry } from './source-registry.ts'
import { ToolIndex } from './tool-index.ts'

/** A tool with the open session to call it in, and the settings of its source. */
export interface CallTarget {
  readonly tool: Tool
  readonly session: Session
  /** Aborted before the session is closed. */
  readonly closed: AbortSignal
  readonly timeoutMs?: number
  readonly environment?: Readonly<Record<string, string>>
  readonly keepsBackground?: boolean
}

export class Catalog {
  readonly sources: SourceRegistry
  readonly tools: ToolIndex

  constructor(context: SourceContext) {
    this.tools = new ToolIndex(() =>
      this.sources.list().flatMap(({ name, status }) => (status === 'failed' ? [name] : [])),
    )
    this.sources = new SourceRegistry(context, this.tools)
  }

  /** Draws the forms of all tools by these from now on. */
  setForms(forms: ToolForms): void {
    if (forms.fingerprint === this.tools.forms.fingerprint) return
    this.tools.forms = forms
    this.sources.emitToolsChanged()
  }

  /** Throws AppError `tool-not-found`, also where the tool's source is not open. */
  callTarget(ref: string): CallTarget {
    const tool = this.tools.get(ref)
    const connection = this.sources.find(tool.source)
    if (connection?.session === undefined) throw this.tools.notFound(ref)
    const { timeoutMs, environment, background } = connection.settings
    return {
      tool,
      session: connection.session,
      closed: connection.closed,
      keepsBackground: background === 'keep',
      ...withoutUndefined({ timeoutMs, environment }),
    }
  }

  /** The agents of all open sources, each tool by its reference. */
  agents(): Agent[] {
    return this.sources.list().flatMap(({ name }) => {
      const session = this.sources.find(name)?.session
      return session === undefined ? [] : agentsOfSource(name, session, this.tools.ofSource(name))
    })
  }

  async close(): Promise<void> {
    await this.sources.close()
  }
}

/**
 * The agents of a source: each tool by its reference, and the values of the built-in variables.
 *
 * @param tools the tools of this source
 */
function agentsOfSource(source: string, session: Session, tools: readonly Tool[]): Agent[] {
  const environment = session.agentEnvironment?.()
  if (environment === undefined) return []
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const toAgentTool = (name: string): AgentTool => {
    const tool = byName.get(name)
    if (tool === undefined) return { name }
    const { ref, description } = tool
    return withoutUndefined({ ref, name, description })
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
