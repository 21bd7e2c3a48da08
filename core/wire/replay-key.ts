/** Decides which recorded request a new request equals, and how it differs from the nearest one. */
import { type Difference, findDifferences } from '../checks/differences.ts'
import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json, type JsonObject, own } from '../json/json.ts'
import { readJson, writeJson } from '../json/json-text.ts'
import { mask } from '../tool/mask.ts'
import { bridgedTool, readRpc, type WireMessage } from './wire-message.ts'

/** Two requests are equal if their keys are equal JSON values. */
export interface ReplayKey {
  readonly method: string
  /** The tool of a `tools/call`. */
  readonly tool?: string | undefined
  readonly params: JsonObject
}

/** The arguments of these methods do not change the answer that a recording has for them. */
const handshakes: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
  'subscriptions/listen',
])

/** Members that belong to one connection, or that the server made: their values differ in each session. */
const perSession: ReadonlySet<string> = new Set(['_meta', 'requestState', 'inputResponses', 'task'])

/** Returns the key of a recorded message if a client can make the same request again; else undefined. */
export function readRecordedKey(message: WireMessage): ReplayKey | undefined {
  const { direction, part, text, run, http } = message
  if (direction !== 'sent') return undefined
  const tool = part === 'start' ? run?.tool : part === 'request' ? bridgedTool(http) : undefined
  if (tool !== undefined) {
    const input = readJson(text)
    return callKey(tool, (input.ok ? input.value : undefined) ?? {})
  }
  return part === 'message' || part === 'request' ? readReplayKey(text) : undefined
}

/**
 * Returns the key of a request; undefined if the text is not one. `_meta` and the id are left out. Of a task, of answers to
 * the server's questions and of the server's state only the presence counts. A cursor counts only in a list, where it
 * names the page.
 */
export function readReplayKey(text: string): ReplayKey | undefined {
  const rpc = readRpc(text)
  if (rpc?.kind !== 'request') return undefined
  const { method } = rpc
  if (handshakes.has(method)) return { method, params: {} }
  const read = readJson(text)
  const message = read.ok ? read.value : undefined
  const given = isObject(message) ? own(message, 'params') : undefined
  // `readJson` returned the message, so its members are JSON.
  const params = isObject(given) ? (given as JsonObject) : {}
  if (method === 'tools/call') {
    const name = own(params, 'name')
    return callKey(String(name), (own(params, 'arguments') ?? {}) as Json, params)
  }
  const isList = method.endsWith('/list')
  const compared = Object.entries(params).filter(
    ([key]) => !perSession.has(key) && (isList || key !== 'cursor'),
  )
  return { method, params: { ...Object.fromEntries(compared), ...presence(params) } }
}

/** Returns the key of a call of a tool; `others` are the other members of its params. */
export function callKey(tool: string, input: Json, others: JsonObject = {}): ReplayKey {
  return { method: 'tools/call', tool, params: { name: tool, arguments: input, ...presence(others) } }
}

function presence(params: JsonObject): JsonObject {
  const isRetry = own(params, 'requestState') !== undefined || own(params, 'inputResponses') !== undefined
  return {
    ...(own(params, 'task') !== undefined && { task: true }),
    ...(isRetry && { inputResponses: true }),
  }
}

/**
 * Returns the recorded request that equals this one if each `•••` in its texts matches any text, and a text that is
 * only `•••` for any value, because masking replaces numbers too. Of several, the one with the most characters that are
 * not masked; undefined if no request matches.
 */
export function findMaskedKey<Entry>(
  key: ReplayKey,
  recorded: Iterable<readonly [ReplayKey, Entry]>,
): Entry | undefined {
  let best: { readonly entry: Entry; readonly literal: number } | undefined
  for (const [other, entry] of recorded) {
    if (other.method !== key.method || !matchesMasked(other.params, key.params)) continue
    const literal = countLiteral(other.params)
    if (best === undefined || literal > best.literal) best = { entry, literal }
  }
  return best?.entry
}

// Both values were read within maxJsonDepth, so recursion is safe.
function matchesMasked(recorded: Json, value: Json): boolean {
  if (typeof recorded === 'string' && recorded.includes(mask))
    return recorded === mask || (typeof value === 'string' && matchesPattern(recorded.split(mask), value))
  if (Array.isArray(recorded))
    return (
      Array.isArray(value) &&
      value.length === recorded.length &&
      recorded.every((item, at) => matchesMasked(item, value[at] ?? null))
    )
  if (!isObject(recorded)) return jsonEquals(recorded, value)
  if (!isObject(value)) return false
  const members = Object.entries(recorded)
  return (
    members.length === Object.keys(value).length &&
    members.every(([name, member]) => {
      const other = own(value, name) as Json | undefined
      return other !== undefined && matchesMasked(member, other)
    })
  )
}

/** Whether the text consists of the parts in their order, with any text between two parts. */
function matchesPattern(parts: readonly string[], text: string): boolean {
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}

/** Returns how many characters of a recorded value are not masked. */
function countLiteral(recorded: Json): number {
  return writeJson(recorded, 0).replaceAll(mask, '').length
}

export interface NearestKey<Entry> {
  readonly entry: Entry
  readonly count: number
  readonly first: Difference | undefined
}

/** Returns the recorded request with the fewest differences; undefined if the recording has no request. */
export function findNearestKey<Entry>(
  key: ReplayKey,
  recorded: Iterable<readonly [ReplayKey, Entry]>,
): NearestKey<Entry> | undefined {
  let best: NearestKey<Entry> | undefined
  for (const [other, entry] of recorded) {
    const { differences, more } = findDifferences(other.params, key.params)
    const count = differences.length + more
    if (best === undefined || count < best.count) best = { entry, count, first: differences[0] }
  }
  return best
}

/** Returns a difference as a sentence: `At /arguments/a it has 1, and this request has 2.` */
export function describeDifference({ path, expected, actual }: Difference): string {
  const side = (text: string | undefined) => (text === undefined ? 'no value' : text)
  return `At ${path || '/'} it has ${side(expected)}, and this request has ${side(actual)}.`
}
