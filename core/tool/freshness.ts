/** How long a client may use an answer of an MCP server without asking again (SEP-2549, revision 2026-07-28). */
import { isObject, own } from '../json/json.ts'

export const cacheScopes = ['public', 'private'] as const

export interface Freshness {
  /** Milliseconds; 0: the answer may differ the next time. At most one day. */
  readonly ttlMs: number
  /** `private`: the answer is for this user only. */
  readonly cacheScope: (typeof cacheScopes)[number]
}

/** A server that says "for ever" would never be asked again. */
const maxTtlMs = 86_400_000

/** Returns undefined if the answer has no `ttlMs`, or one that is not a number of milliseconds. */
export function readFreshness(answer: unknown): Freshness | undefined {
  if (!isObject(answer)) return undefined
  const ttlMs = own(answer, 'ttlMs')
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return undefined
  // An unknown scope is read as the narrower one.
  const cacheScope = own(answer, 'cacheScope') === 'public' ? 'public' : 'private'
  return { ttlMs: Math.min(Math.floor(ttlMs), maxTtlMs), cacheScope }
}

/** Returns the freshness of several answers together: the shortest time, and `private` if one of them is. */
export function joinFreshness(all: readonly (Freshness | undefined)[]): Freshness | undefined {
  const given = all.filter(each => each !== undefined)
  if (given.length === 0) return undefined
  return {
    ttlMs: Math.min(...given.map(({ ttlMs }) => ttlMs)),
    cacheScope: given.every(({ cacheScope }) => cacheScope === 'public') ? 'public' : 'private',
  }
}

/** Returns `fresh for 5 min, private`, or `may change at any time, private`. */
export function describeFreshness({ ttlMs, cacheScope }: Freshness): string {
  return `${ttlMs === 0 ? 'may change at any time' : `fresh for ${inWords(ttlMs)}`}, ${cacheScope}`
}

/** Rounds to a unit that a person reads: a server may give any number. */
function inWords(ms: number): string {
  const units = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  const [size, unit] = units.find(([each]) => ms >= each) ?? [1, 'ms']
  return `${Number((ms / size).toFixed(1))} ${unit}`
}
