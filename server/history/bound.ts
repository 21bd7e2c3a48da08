/** What is kept of a result that is larger than history wants to hold: its beginning, and a word about the rest. */
import type { ContentBlock, EndedEvent } from '../../core/call/invocation.ts'

/** Characters of JSON up to which a result is kept whole. */
export const RESULT_LIMIT = 5 * 1024 * 1024
/** Characters kept of each part of a larger one. */
const PART = 64 * 1024
const MAX_BLOCKS = 20

/** The text's beginning with a marker, or the text itself. */
export function beginning(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… [cut: history keeps ${longest} of ${text.length} characters]`
}

/** An ending of at most about 2 MiB, made of one that is over the limit. */
export function cutEnding(ending: EndedEvent): EndedEvent {
  const { structuredContent, raw, meta: _meta, content, ...rest } = ending
  const blocks = content.slice(0, MAX_BLOCKS).map(cutBlock)
  if (content.length > MAX_BLOCKS)
    blocks.push({ type: 'text', text: `… [cut: ${content.length - MAX_BLOCKS} more blocks]` })
  // Half a JSON text is none: it goes on as text.
  const whole = raw ?? (structuredContent === undefined ? undefined : JSON.stringify(structuredContent))
  if (whole !== undefined && content.length === 0) blocks.push({ type: 'text', text: beginning(whole, PART) })
  const short =
    rest.type === 'failure'
      ? {
          ...rest,
          message: beginning(rest.message, PART),
          ...(rest.hint === undefined ? {} : { hint: beginning(rest.hint, PART) }),
          ...(rest.stderr === undefined ? {} : { stderr: beginning(rest.stderr, PART) }),
          ...(rest.issues === undefined ? {} : { issues: [] }),
        }
      : rest
  const note = 'The result was too large for history: only its beginning was kept.'
  return { ...short, content: blocks, note } as EndedEvent
}

function cutBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: beginning(block.text, PART) }
    case 'image':
    case 'audio':
      return block.data.length <= PART
        ? block
        : {
            type: 'text',
            text: `[cut: ${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`,
          }
    case 'resource': {
      const { text, blob, ...rest } = block.resource
      if (blob !== undefined && blob.length > PART)
        return { type: 'text', text: `[cut: resource ${rest.uri}, ${blob.length} characters of base64]` }
      return {
        type: 'resource',
        resource: {
          ...rest,
          ...(text === undefined ? {} : { text: beginning(text, PART) }),
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
