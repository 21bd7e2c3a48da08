import type { AskMode } from './confirm-reason.ts'

/** Facts about a tool of a functions directory that Toolscope adds to the file's own keys in `Tool.extra`. */
export interface FunctionExtra {
  /** The MCP server behind the entry, a key of the file itself: the call goes through the bridge. */
  readonly mcp?: string
  /** True with `mcp` if the entry comes from a functions.json that copied it, and not from the bridge's own list. */
  readonly throughBridge?: boolean
  /** True for an agent's own tool. A key of the file itself. */
  readonly agent?: boolean
  /** The agent that owns the tool, if `agent` is true; `name` is then `<agentName> <functionName>`. */
  readonly agentName?: string
  readonly functionName?: string
  /** The agents that list the tool, if the root's functions.json does not list it. */
  readonly sharedBy?: readonly string[]
  /** True: ask before each call. False: do not ask. Absent: the tool's hints decide. Set by the catalog. */
  readonly confirm?: boolean
  /** The setting of its source for destructive tools, on these. Set by the catalog. */
  readonly askBeforeDestructive?: AskMode
  /** The question that its program asks on a terminal before it continues; empty if the question has no text. */
  readonly guard?: string
  /** The path of its source code, relative to the tree: `tools/weather.py`. */
  readonly declaredIn?: string
  /** True if it was read from its source; functions.json does not have it. */
  readonly unbuilt?: boolean
  /** The differences between functions.json and the source, a few words each. */
  readonly stale?: readonly string[]
  /** The environment variables that the tool reads. */
  readonly environment?: readonly {
    readonly name: string
    readonly required: boolean
    readonly description?: string
    /** Whether it is set, here or in .env. The value is not included. */
    readonly set: boolean
  }[]
}

/** Returns the name that the author gave the tool, without the agent's name that Toolscope puts before it. */
export function authorName({
  name,
  extra,
}: {
  readonly name: string
  readonly extra?: FunctionExtra
}): string {
  const { agentName, functionName } = extra ?? {}
  return functionName !== undefined && name === `${agentName} ${functionName}` ? functionName : name
}

export const functionExtraKeys = [
  'throughBridge',
  'agentName',
  'functionName',
  'sharedBy',
  'confirm',
  'askBeforeDestructive',
  'guard',
  'declaredIn',
  'unbuilt',
  'stale',
  'environment',
] as const satisfies readonly (keyof FunctionExtra)[]
