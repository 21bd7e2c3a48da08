/** An agent of an llm-functions tree: instructions, variables and tools under one name. */
import type { ManifestProblem } from './tool.ts'

export interface AgentDocument {
  /** As written in index.yaml. */
  readonly path: string
  /** `outside`: it leads out of the agent's folder and is not read · `pattern`: a name with `*` or `{a,b}`. */
  readonly kind: 'file' | 'directory' | 'pattern' | 'url' | 'missing' | 'outside'
  /** Bytes; only for a file. */
  readonly size?: number
}

/** The contents of index.yaml. Every text comes from the author and is hostile. */
export interface AgentDefinition {
  /** The folder's name, which `bin/<agent>` and the catalog use. */
  readonly name: string
  /** The name in index.yaml, if it differs from the folder's. */
  readonly title?: string
  readonly description?: string
  readonly version?: string
  /** Raw, with `{{variables}}` as written. Empty if there are no instructions. */
  readonly instructions: string
  /** True if the agent's function `_instructions` gives the instructions; if it fails, `instructions` is used. */
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
  /** Absent if the catalog does not have the tool. */
  readonly ref?: string
  readonly name: string
  readonly description?: string
}

/** An agent in the catalog. `GET /api/agents` lists them. */
export interface Agent extends Omit<AgentDefinition, 'ownTools' | 'sharedTools'> {
  readonly source: string
  readonly ownTools: readonly AgentTool[]
  readonly sharedTools: readonly AgentTool[]
  /** Values of `{{__os__}}` and the other built-in variables, `{{__tools__}}` included, at the time of this answer. */
  readonly builtIn: Readonly<Record<BuiltInVariable, string>>
}

/** The instructions from an agent's function `_instructions`, or why there are none. */
export type DynamicInstructions =
  | { readonly text: string }
  | { readonly problem: { readonly message: string; readonly hint?: string; readonly stderr?: string } }

/** A piece of instructions: plain text, a variable with its value, or an unknown variable. */
export type InstructionPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  /** Stays `{{name}}` in the rendered text, as AIChat leaves it. */
  | { readonly kind: 'unknown'; readonly name: string }

/** Splits instructions at their variables, in linear time. Only own members of `values` are read. */
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

/** Returns the instructions as a model gets them. */
export function renderInstructions(instructions: string, values: Readonly<Record<string, string>>): string {
  return instructionParts(instructions, values)
    .map(part =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? part.value : `{{${part.name}}}`,
    )
    .join('')
}

export interface AgentVariable {
  /** The name between braces; the environment variable is `LLM_AGENT_VAR_` and this name in capitals. */
  readonly name: string
  readonly description?: string
  /** Absent if the user must give a value, unless the environment has one. */
  readonly default?: string
  /**
   * True if `LLM_AGENT_VAR_…` is set: it overrides the default of index.yaml. `default` is then its value, or absent if
   * its name marks it as a secret.
   */
  readonly inEnvironment?: true
}

/** The meaning of each built-in variable of instructions. */
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

/** Returns the value of `{{__tools__}}`, lines of `1. name: first line of the description`. */
export function toolsText(
  tools: readonly { readonly name: string; readonly description?: string }[],
): string {
  return tools
    .map(({ name, description = '' }, index) => `${index + 1}. ${name}: ${description.split('\n', 1)[0]}`)
    .join('\n')
}

/** Returns the given values, with defaults for the rest. Variables without either are absent. */
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

/** Returns `LLM_AGENT_VAR_OPEN_HOURS` for `open-hours`; null if no environment variable can have the name. */
export function variableEnvironmentName(name: string): string | null {
  return /^[A-Za-z0-9_-]+$/.test(name) ? `LLM_AGENT_VAR_${name.replaceAll('-', '_').toUpperCase()}` : null
}
