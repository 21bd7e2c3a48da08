/** Reads every page of one of a server's lists. */
import type { Client } from '@modelcontextprotocol/client'
import { isObject, own } from '../../core/json/json.ts'
import { type Freshness, joinFreshness, readFreshness } from '../../core/tool/freshness.ts'
import { relateToCall } from '../wire/emit.ts'
import { readServerResult } from './keep-results.ts'
import { anything } from './lenient-client.ts'

const maxPages = 10_000
const maxEntries = 200_000

export interface PageLimits {
  readonly signal: AbortSignal
  /** Milliseconds for each page. */
  readonly timeoutMs: number
  /** The call that reads the list. */
  readonly callId?: string | undefined
}

/**
 * Requests all pages, and passes the raw entries of each to `add`; the next page is requested after `add` has ended.
 * Rejects if a page cannot be read. Returns how long the list may be used, if the server says so.
 *
 * @param method `tools/list`; `key`: the field of its answer with the entries, `tools`; `fixed`: parameters of each request
 * @param report receives the problems of the list as a whole
 */
export async function listPages(
  client: Client,
  { method, key, fixed = {} }: { readonly method: string; readonly key: string; readonly fixed?: object },
  { signal, timeoutMs, callId }: PageLimits,
  report: (message: string) => void,
  add: (entries: readonly unknown[]) => unknown,
): Promise<Freshness | undefined> {
  let count = 0
  const seen = new Set<string>()
  let cursor: string | undefined
  let freshness: Freshness | undefined
  for (let page = 1; ; page++) {
    const params = { ...fixed, ...(cursor === undefined ? {} : { cursor }) }
    const answer = readServerResult(
      await client.request({ method, params }, anything, {
        signal,
        timeout: timeoutMs,
        ...relateToCall(callId),
      }),
    )
    freshness = joinFreshness([freshness, readFreshness(answer)])
    const found = isObject(answer) ? own(answer, key) : undefined
    if (Array.isArray(found)) {
      count += found.length
      await add(found)
    } else report(`Page ${page} of ${method === 'tools/list' ? 'the list' : method} holds no list of ${key}.`)
    const next = isObject(answer) ? own(answer, 'nextCursor') : undefined
    if (typeof next !== 'string' || next === '') return freshness
    if (seen.has(next) || page >= maxPages || count >= maxEntries) {
      const reason = seen.has(next) ? 'a page points back to itself' : 'it is too long'
      report(`${method === 'tools/list' ? 'The list' : method} was not read to its end: ${reason}.`)
      return freshness
    }
    seen.add(next)
    cursor = next
  }
}
