export interface AgentVariable {
  /** As it stands between braces; its environment variable is `LLM_AGENT_VAR_` and the name in capitals. */
  readonly name: string
  readonly description?: string
  /** Absent means that a person has to give a value. */
  readonly default?: string
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
