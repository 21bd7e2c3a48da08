/** The catalog: its sources, the index of their tools, and what a call or an agent needs from both. */

import { setTimeout } from 'node:timers/promises'
import type { ToolDetail } from '../../core/api/catalog.ts'
import { AppError } from '../../core/errors.ts'
import type { ToolForms } from '../../core/form/tool-forms.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { KnownName } from '../../core/prompt/legal-names.ts'
import { type Agent, type AgentTool, toolsText } from '../../core/tool/agent.ts'
import type { Manifest, Tool } from '../../core/tool/tool.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import type { ArgumentText, Session, SessionAgents, SourceContext } from '../sources/source.ts'
import { SourceRegistry } from './source-registry.ts'
import { ToolIndex } from './tool-index.ts'

/** A tool with the open session to call it in, and the settings of its source. */
export interface CallTarget {
  readonly tool: Tool
  /** The list in which it was found. */
  readonly manifest?: Manifest | undefined
  readonly session: Session
  /** Aborted before the session is closed. */
  readonly closed: AbortSignal
  readonly timeoutMs?: number
  readonly progressResetsTimeout?: boolean
  readonly environment?: Readonly<Record<string, string>>
  readonly keepsBackground?: boolean
}

const minCheckIntervalMs = 1_000
/** How long a call waits for its source to start. */
const maxStartMs = 5_000

export class Catalog {
  readonly sources: SourceRegistry
  readonly tools: ToolIndex
  private readonly signIns: SourceContext['signIns']
  /** When `refreshExpired` last searched, as `performance.now()`. */
  private checkedAt = Number.NEGATIVE_INFINITY

  constructor(context: SourceContext) {
    this.signIns = context.signIns
    this.tools = new ToolIndex(() =>
      this.sources.list().flatMap(({ name, status }) => (status === 'failed' ? [name] : [])),
    )
    this.sources = new SourceRegistry(context, this.tools)
  }

  /**
   * Called when a user looks at the catalog. Reads the lists again that are no longer fresh, in the background: searches for
   * them at most once a second.
   */
  refreshExpired(): void {
    const now = performance.now()
    if (now - this.checkedAt < minCheckIntervalMs) return
    this.checkedAt = now
    this.sources.refreshExpired()
  }

  /** Returns the sources, and their tools that may be listed later: see `SourceNames`. */
  knownNames(): readonly KnownName[] {
    return [...this.sources.names(), ...this.tools.listApproved()]
  }

  setForms(forms: ToolForms): void {
    if (forms.fingerprint === this.tools.forms.fingerprint) return
    this.tools.forms = forms
    this.sources.emitToolsChanged()
  }

  /** Throws AppError `tool-not-found`, and `source-failed` if the tool's source is not connected. */
  callTarget(ref: string): CallTarget {
    const tool = this.tools.get(ref)
    const connection = this.sources.find(tool.source)
    if (connection?.session === undefined)
      throw new AppError('source-failed', `"${ref}" is not called: its source is not connected`, {
        hint: 'Try again once the source has started, or look at its error and start it.',
      })
    const { timeoutMs, progressResetsTimeout, environment, background } = connection.settings
    return {
      tool,
      manifest: connection.manifest,
      session: connection.session,
      closed: connection.closed,
      keepsBackground: background === 'keep',
      ...withoutUndefined({ timeoutMs, progressResetsTimeout, environment }),
    }
  }

  /** Waits, for a few seconds, for the source of a tool that is being started, for example because its files changed. */
  async untilConnected(ref: string): Promise<void> {
    // The name of a source has no "/".
    const connection = this.sources.find(ref.slice(0, ref.indexOf('/')))
    if (connection === undefined || this.sources.stateOf(connection).status !== 'starting') return
    await Promise.race([connection.refresh('refreshed'), setTimeout(maxStartMs, undefined, { ref: false })])
  }

  /**
   * Returns the details that the page shows for a tool, prompt, resource or template. Throws AppError `tool-not-found`.
   */
  detail(ref: string): ToolDetail {
    const detail = this.tools.detail(ref)
    const { kind, source, uri = '' } = detail
    if (kind === undefined) return detail
    const connection = this.sources.find(source)
    if (kind === 'resource') {
      const changes = connection?.session?.resourceChanges
      return changes === undefined ? detail : { ...detail, subscribed: changes.uris.has(uri) }
    }
    const completes = connection?.session !== undefined && declaresCompletions(connection.manifest)
    return completes ? { ...detail, completes } : detail
  }

  /**
   * Returns the server's suggestions for an argument of a prompt or a variable of a template: at most 100, empty if it
   * has none. Throws AppError `tool-not-found`; rejects if the server does not answer.
   */
  async complete(ref: string, text: ArgumentText, signal: AbortSignal): Promise<readonly string[]> {
    const { tool, session, closed } = this.callTarget(ref)
    const hasInput = tool.kind === 'prompt' || tool.kind === 'template'
    if (!hasInput || !declaresCompletions(this.sources.find(tool.source)?.manifest)) return []
    return runWithSignals([signal, closed], async stop => (await session.complete?.(tool, text, stop)) ?? [])
  }

  /**
   * Subscribes to the changes of a resource, or unsubscribes. Throws AppError `tool-not-found`, `request-invalid` if
   * its source reports no changes, or `source-failed` if it refuses.
   */
  async subscribe(ref: string, subscribed: boolean): Promise<{ readonly subscribed: boolean }> {
    const { tool, session } = this.callTarget(ref)
    const changes = tool.kind === 'resource' ? session.resourceChanges : undefined
    if (changes === undefined)
      throw new AppError('request-invalid', `changes of "${ref}" are not reported`, {
        hint: 'Only a resource of a server with the capability "resources.subscribe" can be subscribed to.',
      })
    await changes.set(tool.uri ?? '', subscribed)
    return { subscribed }
  }

  /**
   * Returns the agents of all open sources, each tool by its reference.
   *
   * @param refusals of the tools whose texts must not be given on, by reference: they have the reason as description
   */
  agents(refusals?: ReadonlyMap<string, { readonly reason: string }>): Agent[] {
    return this.sources.list().flatMap(({ name }) => {
      const agents = this.sources.find(name)?.session?.agents
      return agents === undefined ? [] : agentsOfSource(name, agents, this.tools.ofSource(name), refusals)
    })
  }

  async close(): Promise<void> {
    await this.sources.close()
    await this.signIns?.close()
  }
}

const declaresCompletions = (manifest: Manifest | undefined) =>
  manifest?.capabilities?.completions !== undefined

/**
 * Returns the agents of a source, with each tool by its reference and the values of the built-in variables.
 *
 * @param tools the tools of this source
 */
function agentsOfSource(
  source: string,
  agents: SessionAgents,
  tools: readonly Tool[],
  refusals: ReadonlyMap<string, { readonly reason: string }> = new Map(),
): Agent[] {
  const environment = agents.environment()
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const toAgentTool = (name: string): AgentTool => {
    const tool = byName.get(name)
    if (tool === undefined) return { name }
    const { ref } = tool
    const description = refusals.get(ref)?.reason ?? tool.description
    return withoutUndefined({ ref, name, description })
  }
  return agents.list().map(agent => {
    const ownTools = agent.ownTools.map(toAgentTool)
    const sharedTools = agent.sharedTools.map(toAgentTool)
    // The model knows an agent's own tool by its function name, without the agent's name.
    const ownFunctions = ownTools.map(tool => ({ ...tool, name: tool.name.slice(agent.name.length + 1) }))
    const __tools__ = toolsText([...ownFunctions, ...sharedTools])
    return { ...agent, source, ownTools, sharedTools, builtIn: { ...environment, __tools__ } }
  })
}
