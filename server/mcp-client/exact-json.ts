/**
 * Keeps numbers exact. JavaScript rounds an integer beyond 2^53, and the SDK passes parsed values; so the text of such
 * an input or result is stored with the value that it belongs to.
 */
import { randomUUID } from 'node:crypto'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { isObject, own } from '../../core/json/json.ts'

/** Matches a number that parsing may round. Matches inside strings are harmless: the stored text is exact anyway. */
const riskyNumber = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]{1,15}[eE])/
/** A longer text is not parsed a second time. */
export const maxExactCharacters = 4 * 1024 * 1024

/** Returns whether parsing may round a number of this JSON. */
export const mayRound = (text: string) => riskyNumber.test(text)

const inputs = new WeakMap<object, string>()
const results = new WeakMap<object, string>()

/** The exact texts of inputs by their marks. A message contains the mark until it is serialised. */
const marked = new Map<string, string>()
const markPrefix = `exact-${randomUUID()}-`
const markPattern = new RegExp(`"(${markPrefix}\\d+)"`)
let marks = 0

/** Stores the text of an input if parsing may round one of its numbers. */
export function rememberInput(value: unknown, text: string): void {
  if (typeof value === 'object' && value !== null && mayRound(text)) inputs.set(value, text)
}

/**
 * Sends a message with a mark in place of a stored input; `exactBody` replaces the mark with the text. The text is kept
 * until `send` has ended, because the SDK serialises the message again after a renewed sign-in.
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
  // Between JSON tokens a line break is whitespace; inside a string it is escaped.
  marked.set(mark, exact.replace(/[\r\n]+/g, ' '))
  return send({ ...message, params: { ...params, arguments: mark } }).finally(() => marked.delete(mark))
}

/** Returns the serialised message with the exact text of the marked input. */
export function exactBody(json: string): string {
  if (marked.size === 0) return json
  const [written, mark] = markPattern.exec(json) ?? []
  const exact = mark === undefined ? undefined : marked.get(mark)
  return written === undefined || exact === undefined ? json : json.replace(written, () => exact)
}

/**
 * Stores the text of a tool result's structured content if parsing may round one of its numbers. `message` is the
 * parsed `text`.
 */
export function rememberResult(message: unknown, text: string): void {
  if (isObject(message)) rememberContent(own(message, 'result'), text, ['result'])
}

/** Does the same for a result at `path` of the text. */
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
