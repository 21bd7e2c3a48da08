/** The value and the text of a result, the same for all that show, compare, store or pass on results. */
import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import type { ContentBlock, Ending, SessionEnding } from './invocation.ts'
import { toOutcome } from './outcome.ts'

/**
 * Returns the result as one value: the structured content, else the JSON object or list that the text is, else the
 * text, else the content blocks. Numbers have all their digits if the source's own text has them.
 */
export function toResultValue(ending: Ending): Json {
  const { structuredContent, content } = ending
  if (structuredContent !== undefined) return parse(formatStructured(ending)) ?? null
  const isText = content.length > 0 && content.every(block => block.type === 'text')
  return isText ? readStructure(joinTextBlocks(ending)) : (parse(JSON.stringify(content)) ?? null)
}

/** Returns the answer as one value: the result, and for a failure its outcome with what came back, or its message. */
export function toAnswerValue(ending: SessionEnding): Json {
  const outcome = toOutcome(ending)
  if (outcome === 'ok') return toResultValue(ending)
  const isEmpty = ending.structuredContent === undefined && ending.content.length === 0
  if (!isEmpty) return { failure: outcome, result: toResultValue(ending) }
  return { failure: outcome, message: ending.type === 'failure' ? ending.message : '' }
}

/** Returns the value of a text that is a JSON object or list, which many tools send as text; else the text. */
export function readStructure(text: string): Json {
  const value = startsLikeJson(text) ? parse(text) : undefined
  return Array.isArray(value) || isObject(value) ? value : text
}

/**
 * Returns the structured content as JSON text: the source's own text if it is JSON, because only that keeps numbers
 * beyond 2^53. A program may have printed something else before its JSON.
 */
export function formatStructured({ structuredContent, raw }: Ending): string {
  return raw !== undefined && isJson(raw) ? raw : JSON.stringify(structuredContent)
}

/** Returns all text blocks of a result, joined. */
export function joinTextBlocks({ content }: Ending): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** Returns all blocks as text: media as `data:` addresses, links as their addresses. */
export function formatBlocks(content: readonly ContentBlock[]): string {
  return content.map(formatBlock).join('\n')
}

/**
 * Returns a result as text: its blocks, then its structured content, unless the only text is the same JSON, as the MCP
 * specification asks of servers (2025-06-18, tools, "Structured Content"), or is the only member of the structured
 * content (`{"result": …}`). Empty if the result is empty.
 */
export function formatResult(ending: Ending): string {
  const { content, structuredContent } = ending
  const blocks = content.length === 0 ? [] : [formatBlocks(content)]
  if (structuredContent === undefined) return blocks.join('\n')
  const structured = formatStructured(ending)
  return isRepeated(content, structured) ? blocks.join('\n') : [...blocks, structured].join('\n')
}

function isRepeated(content: readonly ContentBlock[], structured: string): boolean {
  const [block] = content
  if (content.length !== 1 || block?.type !== 'text') return false
  const whole = parse(structured)
  const members = isObject(whole) ? Object.values(whole) : []
  const said = [block.text, parse(block.text)].filter(value => value !== undefined)
  return [whole, ...(members.length === 1 ? members : [])].some(
    value => value !== undefined && said.some(text => jsonEquals(text, value)),
  )
}

export const startsLikeJson = (text: string) => /^\s*[[{]/.test(text)

function formatBlock(block: ContentBlock): string {
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function parse(text: string): Json | undefined {
  const reading = readJson(text)
  return reading.ok ? reading.value : undefined
}

/**
 * Returns the part of a failure's message that stderr does not already show: `exit code 3` for `exit code 3: no stove`
 * if stderr has the line `no stove`. Empty if stderr has all of it.
 */
export function omitRepeated(message: string, stderr: string): string {
  const lines = stderr.split('\n').map(line => line.trim())
  // A message may quote only the beginning of a long line.
  const isSaid = (text: string) => text !== '' && lines.some(line => line.startsWith(text))
  if (message.split('\n').every(line => isSaid(line.trim()))) return ''
  const quotedAt = message.indexOf(': ')
  return quotedAt > 0 && isSaid(message.slice(quotedAt + 2).trim()) ? message.slice(0, quotedAt) : message
}
