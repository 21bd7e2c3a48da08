/**
 * Numbers to the letter. JavaScript rounds an integer beyond 2^53, and the SDK hands over parsed values; so the
 * text of such an input, and the text of such a result, is kept beside the value it belongs to.
 */
import { randomUUID } from 'node:crypto'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'

/** A number that may not survive being parsed. Hits inside strings are harmless: the text is exact anyway. */
const riskyNumber = /\d[\d.]{15}|\d[eE][+-]?\d/
/** A line longer than this is not parsed a second time. */
const MAX_LINE = 4 * 1024 * 1024

const inputs = new WeakMap<object, string>()
const results = new WeakMap<object, string>()
const placeholder = `exact-${randomUUID()}`

/** Remembers how an input was written, where that matters. */
export function rememberInput(value: unknown, text: string): void {
  if (typeof value === 'object' && value !== null && riskyNumber.test(text)) inputs.set(value, text)
}

/** JSON of a message, on one line; a remembered input stands in it as it was written. */
export function serialise(message: unknown): string {
  const params = fieldOf(message, 'params')
  const input = fieldOf(params, 'arguments')
  const exact = typeof input === 'object' && input !== null ? inputs.get(input) : undefined
  if (exact === undefined) return JSON.stringify(message)
  const marked = { ...(message as object), params: { ...(params as object), arguments: placeholder } }
  // Between JSON tokens a line break is only space; inside a string it is escaped.
  return JSON.stringify(marked).replace(JSON.stringify(placeholder), () => exact.replace(/[\r\n]+/g, ' '))
}

/** Remembers the text of a tool result's structured content, where it holds such a number. */
export function rememberResult(message: unknown, line: string): void {
  if (line.length > MAX_LINE || !riskyNumber.test(line)) return
  const content = fieldOf(fieldOf(message, 'result'), 'structuredContent')
  if (typeof content !== 'object' || content === null) return
  const tree = parseTree(line)
  const node = tree && findNodeAtLocation(tree, ['result', 'structuredContent'])
  if (node) results.set(content, line.slice(node.offset, node.offset + node.length))
}

export function exactResult(content: unknown): string | undefined {
  return typeof content === 'object' && content !== null ? results.get(content) : undefined
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
