/** A result as the bridge protocol's plain text. Nothing is dropped that text can carry. */
import type { ContentBlock, Ending } from '../../core/call/invocation.ts'

/** The blocks, joined by line breaks; structured content as JSON where there is no block at all. */
export function textOf(ending: Ending): string {
  if (ending.content.length === 0 && ending.structuredContent !== undefined)
    return ending.raw ?? JSON.stringify(ending.structuredContent)
  return ending.content.map(blockText).join('\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `data:${block.mimeType};base64,${block.data}`
    case 'resource_link':
      return block.uri
    case 'resource': {
      const { text, blob, uri, mimeType = 'application/octet-stream' } = block.resource
      return text ?? (blob === undefined ? uri : `data:${mimeType};base64,${blob}`)
    }
  }
}
