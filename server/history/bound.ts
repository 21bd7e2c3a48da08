/** What is kept of a result that is larger than history wants to hold: its beginning, and a word about the rest. */
import type { ContentBlock, EndedEvent } from '../../core/tool/invocation.ts'

/** Characters of JSON up to which a result is kept whole. */
export const maxResultCharacters = 5 * 1024 * 1024
/** Characters kept of each part of a larger one. */
const maxPartCharacters = 64 * 1024
const maxBlocks = 20

/** The text's beginning with a marker, or the text itself. */
export function beginning(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… [cut: history keeps ${longest} of ${text.length} characters]`
}

/** An ending of at most about 2 MiB, made of one that is over the limit. */
export function cutEnding(ending: EndedEvent): EndedEvent {
  const { structuredContent, raw, meta: _meta, content, ...rest } = ending
  const blocks = content.slice(0, maxBlocks).map(cutBlock)
  if (content.length > maxBlocks)
    blocks.push({ type: 'text', text: `… [cut: ${content.length - maxBlocks} more blocks]` })
  // Half a JSON text is none: it goes on as text.
  const whole = raw ?? (structuredContent === undefined ? undefined : JSON.stringify(structuredContent))
  if (whole !== undefined && content.length === 0)
    blocks.push({ type: 'text', text: beginning(whole, maxPartCharacters) })
  const short =
    rest.type === 'failure'
      ? {
          ...rest,
          message: beginning(rest.message, maxPartCharacters),
          ...(rest.hint === undefined ? {} : { hint: beginning(rest.hint, maxPartCharacters) }),
          ...(rest.stderr === undefined ? {} : { stderr: beginning(rest.stderr, maxPartCharacters) }),
          ...(rest.issues === undefined ? {} : { issues: [] }),
        }
      : rest
  const note = 'The result was too large for history: only its beginning was kept.'
  return { ...short, content: blocks, note } as EndedEvent
}

function cutBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: beginning(block.text, maxPartCharacters) }
    case 'image':
    case 'audio':
      return block.data.length <= maxPartCharacters
        ? block
        : {
            type: 'text',
            text: `[cut: ${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`,
          }
    case 'resource': {
      const { text, blob, ...rest } = block.resource
      if (blob !== undefined && blob.length > maxPartCharacters)
        return { type: 'text', text: `[cut: resource ${rest.uri}, ${blob.length} characters of base64]` }
      return {
        type: 'resource',
        resource: {
          ...rest,
          ...(text === undefined ? {} : { text: beginning(text, maxPartCharacters) }),
          ...(blob === undefined ? {} : { blob }),
        },
      }
    }
    case 'resource_link':
      return block
    default:
      // A block of a kind that no protocol names yet.
      return { type: 'text', text: '[cut: a block of an unknown kind]' }
  }
}
