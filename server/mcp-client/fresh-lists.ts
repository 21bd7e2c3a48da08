/** The lists of a server that need not be asked for again yet (SEP-2549). */
import { type Freshness, joinFreshness } from '../../core/tool/freshness.ts'

/** A look at the catalog asks for a list at most once in this time, in milliseconds, also if it is fresh for less. */
const minLookMs = 30_000

/** A list's entries, and how long they may be used. */
export interface ReadList<Result> {
  readonly result: Result
  /** Undefined if the server did not say, and after a failure: the list is asked for at each reading. */
  readonly freshness: Freshness | undefined
  /** The list could not be read: the result is that of an earlier reading. */
  readonly isUnread?: boolean
}

interface KnownList extends ReadList<unknown> {
  /** As `performance.now()`. */
  readonly freshUntil: number
  /** The time of the next reading because of a look. */
  readonly lookAt: number
}

export class FreshLists {
  private readonly byMethod = new Map<string, KnownList>()
  /** How often a list was reported as changed: a reading in progress may have missed the change. */
  private readonly expiries = new Map<string, number>()

  /** The methods of the lists that could not be read the last time. */
  readonly unread = new Set<string>()

  /** Returns the last result of a list while it is fresh; otherwise reads it. */
  async read<Result>(method: string, read: () => Promise<ReadList<Result>>): Promise<Result> {
    const known = this.byMethod.get(method)
    // A list is always read by the same function.
    if (known !== undefined && performance.now() < known.freshUntil) return known.result as Result
    const expiry = this.expiries.get(method)
    const list = await read()
    const { result, freshness, isUnread = false } = list
    if (isUnread) this.unread.add(method)
    else this.unread.delete(method)
    if (freshness === undefined) this.byMethod.delete(method)
    else {
      const now = performance.now()
      const freshUntil = this.expiries.get(method) === expiry ? now + freshness.ttlMs : now
      this.byMethod.set(method, { ...list, freshUntil, lookAt: now + Math.max(freshness.ttlMs, minLookMs) })
    }
    return result
  }

  /** Makes the next reading ask for these lists. */
  expire(methods: Iterable<string>): void {
    for (const method of methods) {
      this.expiries.set(method, (this.expiries.get(method) ?? 0) + 1)
      const known = this.byMethod.get(method)
      if (known !== undefined) this.byMethod.set(method, { ...known, freshUntil: 0 })
    }
  }

  /** Makes the next reading ask for all lists. */
  expireAll(): void {
    this.expire([...this.byMethod.keys()])
  }

  /** Whether a look at the catalog should read a list again. */
  get hasExpired(): boolean {
    const now = performance.now()
    return [...this.byMethod.values()].some(({ lookAt }) => now >= lookAt)
  }

  get freshness(): Freshness | undefined {
    return joinFreshness([...this.byMethod.values()].map(({ freshness }) => freshness))
  }
}
