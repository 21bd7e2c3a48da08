/**
 * What of a source and of a tool may leave the machine. A list of what is taken, not of what is left out: a field that
 * comes later stays at home until somebody decides otherwise. Command lines, addresses, environment, headers, logs and
 * errors are not on it.
 */

import { own, withoutUndefined } from '../json/json.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolDetail } from './catalog.ts'
import type { SourceState } from './sources.ts'

export function cleanSource(source: SourceState): SourceState {
  const { name, kind, toolCount, format, callingConvention, instructions, protocol, serverInfo } = source
  const { capabilities, icons, surface } = source
  return {
    name,
    kind,
    label: '',
    status: 'ready',
    toolCount,
    callable: false,
    // What is wrong with an entry is the manifest's; the rest speaks of how the source is set up here.
    problems: source.problems.filter(problem => problem.index !== undefined),
    ...withoutUndefined({ format, callingConvention, instructions, protocol, serverInfo }),
    ...withoutUndefined({ capabilities, icons, surface }),
  }
}

/** Whether it asks first is the tool's; what its machine has set is not. */
export function cleanTool(tool: ToolDetail): ToolDetail {
  const { ref, source, index, name, title, description, inputSchema, outputSchema, annotations } = tool
  const { kind, uri, mimeType } = tool
  const extra = cleanExtra(tool.extra)
  return {
    ref,
    source,
    index,
    name,
    callable: tool.callable,
    ...withoutUndefined({ kind, uri, mimeType, title, description }),
    inputSchema,
    ...withoutUndefined({ outputSchema, annotations, extra }),
    schemaHash: tool.schemaHash,
    ...withoutUndefined({ command: tool.command, uiSchema: tool.uiSchema }),
  }
}

/** Of llm-functions: whose tool it is. Categories and tags, which the help reads. */
const takenExtras = ['mcp', 'agent', 'agentName', 'functionName', 'category', 'categories', 'tags'] as const

export function cleanExtra(extra: Tool['extra']): Tool['extra'] {
  if (extra === undefined) return undefined
  const taken = takenExtras.flatMap(key => {
    const value = own(extra, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return taken.length === 0 ? undefined : Object.fromEntries(taken)
}
