/** An agent of an llm-functions tree: instructions, variables and tools under one name. */
import type { ManifestProblem } from '../tool/tool.ts'
import type { AgentVariable, BuiltInVariable } from './variables.ts'

export interface AgentDocument {
  /** As written in index.yaml. */
  readonly path: string
  /** `outside` leads out of the agent's folder and is not looked at; `pattern` names files by `*` or `{a,b}`. */
  readonly kind: 'file' | 'directory' | 'pattern' | 'url' | 'missing' | 'outside'
  /** Bytes, of a file. */
  readonly size?: number
}

/** What index.yaml says, as read; every text is the author's and hostile. */
export interface AgentDefinition {
  /** The folder's name: what `bin/<agent>` and the catalog call it. */
  readonly name: string
  /** The name in index.yaml where that is another. */
  readonly title?: string
  readonly description?: string
  readonly version?: string
  /** Raw: `{{variables}}` stand as written. Empty where there are none. */
  readonly instructions: string
  readonly variables: readonly AgentVariable[]
  readonly conversationStarters: readonly string[]
  readonly documents: readonly AgentDocument[]
  /** Names in the source's manifest. Own tools are called through `bin/<agent>`, shared ones through `bin/<name>`. */
  readonly ownTools: readonly string[]
  readonly sharedTools: readonly string[]
  readonly problems: readonly ManifestProblem[]
}

/** The built-in variables that do not depend on the agent. */
export type AgentEnvironment = Readonly<Record<Exclude<BuiltInVariable, '__tools__'>, string>>

/** A tool of an agent, as its page shows it. */
export interface AgentTool {
  /** Absent where the catalog does not have it. */
  readonly ref?: string
  readonly name: string
  readonly description?: string
}

/** An agent in the catalog. `GET /api/agents` lists them. */
export interface Agent extends Omit<AgentDefinition, 'ownTools' | 'sharedTools'> {
  readonly source: string
  readonly ownTools: readonly AgentTool[]
  readonly sharedTools: readonly AgentTool[]
  /** Values for `{{__os__}}` and the like, `{{__tools__}}` included, as of this answer. */
  readonly builtIn: Readonly<Record<BuiltInVariable, string>>
}
