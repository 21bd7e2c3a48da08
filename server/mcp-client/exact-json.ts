/**
 * Numbers to the letter. JavaScript rounds an integer beyond 2^53, and the SDK hands over parsed values; so the
 * text of such an input, and the text of such a result, is kept beside the value it belongs to.
 */
import { randomUUID } from 'node:crypto'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { isObject, own } from '../../core/json/json.ts'

/** A number that may not survive being parsed. Hits inside strings are harmless: the text is exact anyway. */
const riskyNumber = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]{1,15}[eE])/
/** A text longer than this is not parsed a second time. */
export const maxExactCharacters = 4 * 1024 * 1024

/** Whether parsing may round a number of this JSON. */
export const mayRound = (text: string) => riskyNumber.test(text)

const inputs = new WeakMap<object, string>()
const results = new WeakMap<object, string>()

/** Marks stand in a message for the inputs whose text is put in when it is written out. */
const marked = new Map<string, string>()
const markPrefix = `exact-${randomUUID()}-`
const markPattern = new RegExp(`"(${markPrefix}\\d+)"`)
let marks = 0

/** Remembers how an input was written, where that matters. */
export function rememberInput(value: unknown, text: string): void {
  if (typeof value === 'object' && value !== null && mayRound(text)) inputs.set(value, text)
}

/**
 * Sends a message with a mark in the place of a remembered input; `exactBody` takes it out again. The input is kept until
 * `send` has ended: after a renewed sign-in the SDK writes the same message out once more.
 */
export function sendMarked<Message extends object>(
  message: Message,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  const params = isObject(message) ? own(message, 'params') : undefined
  const input = isObject(params) ? own(params, 'arguments') : undefined
  const exact = typeof input === 'object' && input !== null ? inputs.get(input) : undefined
  if (exact === undefined || !isObject(params)) return send(message)
  marks += 1
  const mark = `${markPrefix}${marks}`
  // Between JSON tokens a line break is only space; inside a string it is escaped.
  marked.set(mark, exact.replace(/[\r\n]+/g, ' '))
  return send({ ...message, params: { ...params, arguments: mark } }).finally(() => marked.delete(mark))
}

/** JSON as it goes out: the marked input as it was written. */
export function exactBody(json: string): string {
  if (marked.size === 0) return json
  const [written, mark] = markPattern.exec(json) ?? []
  const exact = mark === undefined ? undefined : marked.get(mark)
  return written === undefined || exact === undefined ? json : json.replace(written, () => exact)
}

/** Remembers the text of a tool result's structured content, where it holds such a number. `message` is `text`, parsed. */
export function rememberResult(message: unknown, text: string): void {
  if (isObject(message)) rememberContent(own(message, 'result'), text, ['result'])
}

/** The same for a result at `path` of the text. */
export function rememberContent(result: unknown, text: string, path: readonly string[] = []): void {
  if (text.length > maxExactCharacters || !mayRound(text)) return
  const content = isObject(result) ? own(result, 'structuredContent') : undefined
  if (typeof content !== 'object' || content === null) return
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, [...path, 'structuredContent'])
  if (node) results.set(content, text.slice(node.offset, node.offset + node.length))
}

export function exactResult(content: unknown): string | undefined {
  return typeof content === 'object' && content !== null ? results.get(content) : undefined
}
