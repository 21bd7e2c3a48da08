/**
 * Converts a server's answer into an ending: every block is kept, and content that is not a block becomes JSON text.
 */

import { isObject, jsonText, own, withoutUndefined } from '../../core/json/json.ts'
import { describeFreshness, readFreshness } from '../../core/tool/freshness.ts'
import {
  type ContentBlock,
  contentNotes,
  type Ending,
  type SessionEvent,
} from '../../core/tool/invocation.ts'
import type { Callable } from '../../core/tool/tool.ts'
import { failure } from '../sources/run-failure.ts'
import { exactResult } from './exact-json.ts'

const mainFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri'],
}

/** Keeps every block and message; content of an unknown shape becomes JSON text. */
export function readAnswer({ kind }: Callable, answer: unknown): SessionEvent {
  if (kind === undefined) return readResult(answer)
  const key = kind === 'prompt' ? 'messages' : 'contents'
  const list = isObject(answer) ? own(answer, key) : undefined
  if (!isObject(answer) || !Array.isArray(list))
    return {
      ...failure('bad-output', `The server answered without a list of ${key}.`),
      content: [{ type: 'text', text: jsonText(answer) ?? '…' }],
    }
  const notes: string[] = []
  const read = kind === 'prompt' ? { content: readMessages(list, notes) } : readContents(list, notes)
  const meta = own(answer, '_meta')
  const freshness = kind === 'prompt' ? undefined : readFreshness(answer)
  if (freshness !== undefined && freshness.ttlMs > 0) notes.push(describeFreshness(freshness))
  const description = own(answer, 'description')
  if (typeof description === 'string' && description !== '') notes.unshift(description.slice(0, 2_000))
  return {
    type: 'result',
    ...read,
    ...(isObject(meta) ? { meta } : {}),
    ...(notes.length === 0 ? {} : { note: notes.slice(0, 5).join(' · ') }),
  }
}

function readMessages(messages: readonly unknown[], notes: string[]): readonly ContentBlock[] {
  return messages.flatMap((message, index) => {
    const given = isObject(message) ? own(message, 'content') : undefined
    if (!isObject(message) || given === undefined) return [readBlock(message, index, notes)]
    const role = own(message, 'role')
    const blocks = Array.isArray(given) ? given : [given]
    return blocks.map((block: unknown) => ({
      ...readBlock(block, index, notes),
      ...(typeof role === 'string' ? { role: role.slice(0, 40) } : {}),
    }))
  })
}

/** A single content is shown in its own type; several are shown with their URIs. */
function readContents(contents: readonly unknown[], notes: string[]) {
  const blocks = contents.map((content, index) =>
    readBlock({ type: 'resource', resource: content }, index, notes),
  )
  const [only] = blocks
  if (blocks.length !== 1 || only?.type !== 'resource') return { content: blocks }
  const { uri, text, blob } = only.resource
  const mimeType = typeof only.resource.mimeType === 'string' ? only.resource.mimeType : ''
  const type = /^(image|audio)\//i.exec(mimeType)?.[1]?.toLowerCase()
  const isMedia = type === 'image' || type === 'audio'
  if (typeof text === 'string' || (typeof blob === 'string' && isMedia))
    notes.push([uri.slice(0, 500), mimeType].filter(Boolean).join(' · '))
  if (typeof text === 'string')
    return { content: [{ type: 'text', text } as const], ...parseStructuredContent(text, mimeType) }
  if (typeof blob === 'string' && isMedia) return { content: [{ type, data: blob, mimeType } as const] }
  return { content: blocks }
}

/** Returns the text as structured content if its type is JSON and it can be parsed. */
function parseStructuredContent(text: string, mimeType: string) {
  if (!/[/+]json\b/i.test(mimeType)) return {}
  try {
    return withoutUndefined({ structuredContent: JSON.parse(text) as unknown, raw: text })
  } catch {
    return {}
  }
}

/** Reads a tool result. With `isError` it is a failure that keeps the payload. */
export function readResult(answer: unknown): SessionEvent {
  if (!isObject(answer))
    return {
      ...failure('bad-output', 'The server’s answer is not a tool result.'),
      content: [{ type: 'text', text: jsonText(answer) ?? '…' }],
    }
  const ending = readEnding(answer)
  if (own(answer, 'isError') !== true) return { type: 'result', ...ending }
  const text = ending.content.find(block => block.type === 'text')
  return {
    type: 'failure',
    reason: 'tool-error',
    ...ending,
    isError: true,
    message: text?.type === 'text' ? firstLine(text.text) : 'The tool says that it failed.',
  }
}

function readEnding(answer: { readonly [key: string]: unknown }): Ending {
  const notes: string[] = []
  const given = own(answer, 'content')
  if (given !== undefined && !Array.isArray(given)) notes.push(contentNotes[0])
  const blocks = Array.isArray(given) ? given : given === undefined ? [] : [given]
  const content = blocks.map((block: unknown, index) => readBlock(block, index, notes))
  const structured = own(answer, 'structuredContent')
  const raw = exactResult(structured)
  const meta = own(answer, '_meta')
  return {
    content,
    ...withoutUndefined({ structuredContent: structured, raw }),
    ...(isObject(meta) ? { meta } : {}),
    ...(notes.length === 0 ? {} : { note: `${notes.slice(0, 5).join('; ')}.` }),
  }
}

/** Returns a block that MCP knows unchanged, another one as JSON with an entry in `notes`. */
function readBlock(block: unknown, index: number, notes: string[]): ContentBlock {
  if (isObject(block)) {
    const type = own(block, 'type')
    const fields = typeof type === 'string' && Object.hasOwn(mainFields, type) ? mainFields[type] : undefined
    // Checks only the fields that its type requires; the others are kept unchanged.
    if (fields?.every(field => typeof own(block, field) === 'string')) return block as unknown as ContentBlock
    const resource = own(block, 'resource')
    // A resource requires only its URI.
    if (type === 'resource' && isObject(resource) && typeof own(resource, 'uri') === 'string')
      return block as unknown as ContentBlock
  }
  notes.push(`content ${index} ${contentNotes[1]} and is shown as JSON`)
  return { type: 'text', text: jsonText(block) ?? '…' }
}

function firstLine(text: string): string {
  const line = text.split('\n', 5).find(each => each.trim() !== '') ?? 'The tool says that it failed.'
  // The message is plain text; servers often write Markdown: `**Error**: no such pod`.
  return line
    .trim()
    .slice(0, 300)
    .replace(/^#+\s+/, '')
    .replaceAll(/(\*\*|`)(.+?)\1/g, '$2')
}
