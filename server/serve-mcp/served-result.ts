/** A call's ending as an MCP result. Clients of either era can read it, and nothing that came back is left out. */

import { isObject } from '../../core/json/json.ts'
import type { ContentBlock, Failure, SessionEnding } from '../../core/tool/invocation.ts'
import { messageBeside } from '../../core/tool/message-beside.ts'

const maxStderrCharacters = 2_000

export interface ServedResult {
  readonly content: ContentBlock[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly [key: string]: unknown
}

/** @param typed whether the tool's output schema was told to the client, which then wants structured content. */
export function servedResult(ending: SessionEnding, typed: boolean): ServedResult {
  const content = ending.content.map(named)
  const { structuredContent, raw } = ending
  // Old clients know only text: the specification wants the JSON there too.
  if (structuredContent !== undefined && content.length === 0)
    content.push({ type: 'text', text: raw ?? JSON.stringify(structuredContent) })
  const structured = isObject(structuredContent) ? { structuredContent } : {}
  if (ending.type === 'failure') {
    if (ending.isError !== true) content.unshift({ type: 'text', text: explain(ending) })
    if (!typed) return { content, ...structured, isError: true }
    // Old clients hold even an error's structured content against the schema; as text it cannot be refused.
    if (structuredContent !== undefined && ending.content.length > 0)
      content.push({ type: 'text', text: raw ?? JSON.stringify(structuredContent) })
    return { content, isError: true }
  }
  if (typed && !isObject(structuredContent)) {
    // A client would refuse the result and drop it; as an error it is shown.
    content.push({ type: 'text', text: 'The tool declares an output schema but returned no JSON object.' })
    return { content, isError: true }
  }
  return { content, ...structured }
}

function explain({ message, hint = '', stderr = '' }: Failure): string {
  const shown = stderr.slice(-maxStderrCharacters)
  return [messageBeside(message, shown), hint, shown].filter(line => line !== '').join('\n')
}

/** A resource link needs a name for the SDKs' clients to take it. */
function named(block: ContentBlock): ContentBlock {
  return block.type === 'resource_link' && block.name === undefined ? { ...block, name: block.uri } : block
}
