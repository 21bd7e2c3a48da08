/**
 * Lists the fields of a source and of a tool that an export may contain. A new field is not exported until it is added
 * here. Command lines, addresses, environment, headers, logs and errors are never exported.
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
    // Problems of entries belong to the manifest; other problems describe the local setup.
    problems: source.problems.filter(problem => problem.index !== undefined),
    ...withoutUndefined({ format, callingConvention, instructions, protocol, serverInfo }),
    ...withoutUndefined({ capabilities, icons, surface }),
  }
}

/** Returns the fields of a tool that an export may contain. */
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

/** Keys of llm-functions that name the owner of a tool, and categories and tags, which the help reads. */
const takenExtras = ['mcp', 'agent', 'agentName', 'functionName', 'category', 'categories', 'tags'] as const

export function cleanExtra(extra: Tool['extra']): Tool['extra'] {
  if (extra === undefined) return undefined
  const taken = takenExtras.flatMap(key => {
    const value = own(extra, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return taken.length === 0 ? undefined : Object.fromEntries(taken)
}
