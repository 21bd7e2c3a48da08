/** The catalog: its sources, the index of their tools, and what a call or an agent needs of both. */

import type { Agent } from '../../core/agent/agent.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Session, SourceContext } from '../sources/source.ts'
import { agentsOfSource } from './source-agents.ts'
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

  /** Throws AppError `tool-not-found`, also where the tool's source is not open. */
  callTarget(ref: string): CallTarget {
    const tool = this.tools.get(ref)
    const connection = this.sources.find(tool.source)
    if (connection?.session === undefined) throw this.tools.notFound(ref)
    const { timeoutMs, environment } = connection.settings
    return {
      tool,
      session: connection.session,
      closed: connection.closed,
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
