/** An agent of an llm-functions tree: instructions, variables and tools under one name. */
import type { ManifestProblem } from './tool.ts'

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
  /** The agent's function `_instructions` gives its instructions; those above stand in where it cannot. */
  readonly dynamicInstructions?: true
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

/** What an agent's function `_instructions` gave, or why it gave nothing. */
export type DynamicInstructions =
  | { readonly text: string }
  | { readonly problem: { readonly message: string; readonly hint?: string; readonly stderr?: string } }

/** A piece of instructions: plain text, a variable with its value, or one that has none. */
export type InstructionPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  /** Stays `{{name}}` in the rendered text, as AIChat leaves it. */
  | { readonly kind: 'unknown'; readonly name: string }

/** Splits instructions at their variables. Linear in the text; `values` is read by its own members only. */
export function instructionParts(
  instructions: string,
  values: Readonly<Record<string, string>>,
): InstructionPart[] {
  const parts: InstructionPart[] = []
  let from = 0
  for (const match of instructions.matchAll(/\{\{(\w+)\}\}/g)) {
    const [whole, name = ''] = match
    if (match.index > from) parts.push({ kind: 'text', text: instructions.slice(from, match.index) })
    parts.push(
      Object.hasOwn(values, name)
        ? { kind: 'variable', name, value: values[name] ?? '' }
        : { kind: 'unknown', name },
    )
    from = match.index + whole.length
  }
  if (from < instructions.length) parts.push({ kind: 'text', text: instructions.slice(from) })
  return parts
}

/** The instructions as a model gets them. */
export function renderInstructions(instructions: string, values: Readonly<Record<string, string>>): string {
  return instructionParts(instructions, values)
    .map(part =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? part.value : `{{${part.name}}}`,
    )
    .join('')
}

export interface AgentVariable {
  /** As it stands between braces; its environment variable is `LLM_AGENT_VAR_` and the name in capitals. */
  readonly name: string
  readonly description?: string
  /** Absent means that a person has to give a value, unless the environment does. */
  readonly default?: string
  /**
   * `LLM_AGENT_VAR_…` is set and goes before the default of index.yaml: `default` is its value, absent where its name
   * says that it is a secret.
   */
  readonly inEnvironment?: true
}

/** What each built-in variable of instructions stands for. */
export const builtInVariables = {
  __os__: 'Operating system: linux, macos, windows',
  __os_family__: 'Operating system family: unix, windows',
  __arch__: 'Processor architecture: x86_64, aarch64',
  __shell__: 'The user’s shell',
  __locale__: 'The user’s language and region: en-US',
  __now__: 'The time of the conversation, ISO 8601',
  __cwd__: 'Working directory',
  __tools__: 'The agent’s tools, one a line',
} as const satisfies Record<string, string>

export type BuiltInVariable = keyof typeof builtInVariables

/** What `{{__tools__}}` becomes: `1. name: first line of the description`. */
export function toolsText(
  tools: readonly { readonly name: string; readonly description?: string }[],
): string {
  return tools
    .map(({ name, description = '' }, index) => `${index + 1}. ${name}: ${description.split('\n', 1)[0]}`)
    .join('\n')
}

/** The values to use: what was given, else the defaults. Variables without either are absent. */
export function variableValues(
  variables: readonly AgentVariable[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap(({ name, default: fallback }) => {
      const value = Object.hasOwn(given, name) ? given[name] : fallback
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** `open-hours` → `LLM_AGENT_VAR_OPEN_HOURS`; null for a name that no environment variable can have. */
export function variableEnvironmentName(name: string): string | null {
  return /^[A-Za-z0-9_-]+$/.test(name) ? `LLM_AGENT_VAR_${name.replaceAll('-', '_').toUpperCase()}` : null
}
