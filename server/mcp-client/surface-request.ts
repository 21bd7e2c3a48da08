/** The request of a call, and how its answer is read: of a tool, a prompt, a resource or a template. */

import { isObject, jsonText, own, withoutUndefined } from '../../core/json/json.ts'
import type { ContentBlock, SessionEvent } from '../../core/tool/invocation.ts'
import type { Callable } from '../../core/tool/tool.ts'
import { expandTemplate } from '../../core/tool/uri-template.ts'
import { failure } from '../sources/run-failure.ts'
import { readBlock, readResult } from './read-result.ts'

/** An input that is no object is sent as it is: the user may want to see what the server makes of it. */
export function requestOf(
  { kind, name, uri = '' }: Callable,
  value: unknown,
): { readonly method: string; readonly params: Record<string, unknown> } {
  if (kind === 'resource') return { method: 'resources/read', params: { uri } }
  if (kind === 'template')
    return { method: 'resources/read', params: { uri: expandTemplate(uri, isObject(value) ? value : {}) } }
  return { method: kind === 'prompt' ? 'prompts/get' : 'tools/call', params: { name, arguments: value } }
}

/** Every block and message is kept; what is none is shown as JSON. */
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

/** A content that stands alone is shown as what it is; several, each with its address. */
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
    return { content: [{ type: 'text', text } as const], ...structuredOf(text, mimeType) }
  if (typeof blob === 'string' && isMedia) return { content: [{ type, data: blob, mimeType } as const] }
  return { content: blocks }
}

/** What calls itself JSON and is JSON. */
function structuredOf(text: string, mimeType: string) {
  if (!/[/+]json\b/i.test(mimeType)) return {}
  try {
    return withoutUndefined({ structuredContent: JSON.parse(text) as unknown, raw: text })
  } catch {
    return {}
  }
}
