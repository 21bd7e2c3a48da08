import type { WireRow, WireViolation } from '../../../core/api/wire.ts'

const kindWords = {
  request: 'request',
  notification: 'notify',
  result: 'result',
  error: 'error',
} as const

const partWords = {
  message: 'line',
  request: 'HTTP',
  response: 'HTTP',
  event: 'event',
  start: 'start',
  stdout: 'stdout',
  stderr: 'stderr',
  end: 'end',
} as const

/** The kind of a message, in one word. */
export const kindWord = ({ kind, part }: Pick<WireRow, 'kind' | 'part'>) =>
  kind === undefined ? partWords[part] : kindWords[kind]

export const violationWords: Readonly<Record<WireViolation['code'], string>> = {
  'not-json': 'not JSON',
  'unknown-id': 'unknown id',
  'second-answer': 'second answer',
  invalid: 'breaks the schema',
}

/** The rule that each violation breaks. */
export const violationRules: Readonly<Record<WireViolation['code'], string>> = {
  'not-json':
    'MCP, Transports: over stdio, a server must write nothing to stdout that is not a valid MCP message.',
  'unknown-id': 'JSON-RPC 2.0, 5: the id of a response must be that of its request.',
  'second-answer': 'MCP, Messages: a request gets one response, a result or an error.',
  invalid: 'MCP, Schema: the message must fit the schema of the negotiated version.',
}

/** The failure of a message, in few words; undefined if it did not fail. */
export function failureWords(row: WireRow): string | undefined {
  if (row.isError !== true) return undefined
  const { kind, status, exitCode } = row
  if (status !== undefined && status >= 400) return `HTTP ${status}`
  if (exitCode !== undefined && exitCode !== 0) return `exit ${exitCode}`
  if (kind === 'result') return row.tool === undefined ? 'error' : 'tool error'
  return kind === 'error' ? 'error' : 'failed'
}

/** The name of a message: its method, or the tool of a run. Undefined if only its text says what it is. */
export function messageName({ method, tool, status, part }: WireRow): string | undefined {
  if (method !== undefined) return method
  if (part === 'start' || part === 'end') return tool
  return status === undefined ? tool : `HTTP ${status}`
}

/** The members that a row shows in its columns, at the start of a JSON-RPC text. */
const envelope = /^\{(?:"(?:jsonrpc|id|method)":(?:"[^"\\]*"|[\w.+-]+),?)*(?:"(?:params|result|error)":)?/

/** The same members at the end of the text, which may be cut. */
const envelopeEnd = /^(?:\}|,"(?:(?:jsonrpc|id|method)"|\w*$)|,?$)/

/** The beginning of a message's text, without what the columns say. */
export function previewText({ kind, preview }: Pick<WireRow, 'kind' | 'preview'>): string {
  if (kind === undefined) return preview
  const text = preview.replace(envelope, '')
  if (text === '}') return ''
  const end = findEnd(text)
  return envelopeEnd.test(text.slice(end)) ? text.slice(0, end) : text
}

/** Returns the position after the object or list at the start of a JSON text; its length if the text is cut before. */
function findEnd(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth === 0) return token.startsWith('"') ? text.length : index + 1
  }
  return text.length
}

/** The kind of a message, as the open message says it. */
export function describeKind(row: Pick<WireRow, 'kind' | 'part' | 'direction'>): string {
  if (row.kind !== undefined) return `${row.direction} ${kindWord(row)}`
  switch (row.part) {
    case 'start':
    case 'end':
      return `${row.part} of a run`
    case 'request':
      return 'sent HTTP request'
    case 'response':
      return 'received HTTP answer'
    default:
      return `${row.direction} ${partWords[row.part]}`
  }
}

const seconds = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 })

/** Formats milliseconds since the wire began in seconds, to the millisecond: `12.345`. */
export const formatWireTime = (atMs: number) => seconds.format(atMs / 1000)

/** Formats a latency: `0.4 ms`, `12 ms`, `3.2 s`. */
export function formatLatency(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
