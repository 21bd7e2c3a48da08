/** What a functions directory finds out about a tool, in `Tool.extra` beside the file's own keys. */
export interface FunctionExtra {
  /** The MCP server behind the entry: the call goes through the bridge. The file's own key. */
  readonly mcp?: string
  /** True beside `mcp`: not the bridge's own list, but a functions.json that took it over. */
  readonly throughBridge?: boolean
  /** An agent's own tool. The file's own key. */
  readonly agent?: boolean
  /** Whose tool it is, where `agent` is true; `name` is then `<agentName> <functionName>`. */
  readonly agentName?: string
  readonly functionName?: string
  /** The agents that list the tool, where the root's functions.json does not. */
  readonly sharedBy?: readonly string[]
  /** True: ask before each call. False: do not ask. Absent: the tool's hints decide. From LLM_MCP_NEED_CONFIRM. */
  readonly confirm?: boolean
  /** The question that its program asks on a terminal before it goes on; empty where that has no words of its own. */
  readonly guard?: string
  /** Its source code, relative to the tree: `tools/weather.py`. */
  readonly declaredIn?: string
  /** Read from its source; functions.json does not have it. */
  readonly unbuilt?: boolean
  /** Where functions.json and the source differ, a few words each. */
  readonly stale?: readonly string[]
  /** Environment variables that it reads. */
  readonly environment?: readonly {
    readonly name: string
    readonly required: boolean
    readonly description?: string
    /** Whether it is set, here or in .env. The value is never told. */
    readonly set: boolean
  }[]
}

/** The name that the author gave the tool: without the agent, which Toolscope puts before the name of its functions. */
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
  'guard',
  'declaredIn',
  'unbuilt',
  'stale',
  'environment',
] as const satisfies readonly (keyof FunctionExtra)[]
