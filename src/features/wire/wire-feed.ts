/** The rows of a source's wire in the page: the newest page first, older ones on demand, new ones as they arrive. */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { WirePage, WireRow } from '../../../core/api/wire.ts'
import { isSameJson } from '../../../core/json/equality.ts'
import { type Backend, useBackend } from '../../api/backend.ts'
import { createStore, type ValueStore } from '../../ui/value-store.ts'
import type { WireQuery } from './wire-query.ts'

const pageRows = 500
/** Rows of the first answer: what is in sight, so that a search is drawn at once. */
const firstRows = 100
/** Between two answers with new rows: a flood is drawn four times a second. */
const pauseMs = 250
const retryMs = 2_000

/** The answer without its rows. */
type WirePageFacts = Omit<WirePage, 'rows' | 'hasBefore' | 'hasAfter'>

export interface WireState {
  /** Matching rows without a gap, up to the newest. Empty and without facts until the first answer. */
  readonly rows: readonly WireRow[]
  /** How many older matching rows the server has. */
  readonly missing: number
  readonly facts?: WirePageFacts
  readonly error?: unknown
}

interface WireFeed extends Pick<ValueStore<WireState>, 'get' | 'subscribe'> {
  /** Reads the rows that match, and adds new ones until the returned function is called. */
  follow(query: WireQuery): () => void
  /** Reads older rows, a page at a time: until those with `seq` are there, or one page. */
  loadBefore(seq?: number): Promise<void>
  /** Reads the newest rows again, after the wire was paused or cleared. */
  refresh(): void
}

interface Following {
  readonly query: WireQuery
  /** Ends when the filters change. */
  readonly signal: AbortSignal
  /** Ends what is waited for. */
  restart: () => void
}

function createWireFeed(backend: Backend, source: string): WireFeed {
  const store = createStore<WireState>({ rows: [], missing: 0 })
  let current: Following | undefined
  let loading = false
  const ask = (
    { query }: Following,
    more: { after?: number; before?: number; wait?: '1' },
    signal: AbortSignal,
  ) =>
    backend.request('GET /api/sources/{name}/wire', {
      params: { name: source },
      query: {
        ...query,
        ...more,
        limit: more.after === undefined && more.before === undefined ? firstRows : pageRows,
      },
      signal,
    })

  async function run(following: Following): Promise<void> {
    // The rows of the filters before stay until the new ones are there.
    let after: number | undefined
    const isEnded = () => following.signal.aborted
    while (!isEnded()) {
      const turn = new AbortController()
      const end = () => turn.abort()
      following.signal.addEventListener('abort', end)
      following.restart = end
      try {
        const page = await ask(following, after === undefined ? {} : { after, wait: '1' }, turn.signal)
        if (isEnded()) return
        const isNext = after !== undefined && page.lastSeq >= after && !page.hasAfter
        // After a flood, or a wire that began again, the newest rows are read instead of all between.
        if (after !== undefined && !isNext) after = undefined
        else {
          store.set(isNext ? addPage(store.get(), page) : startAgain(store.get(), page))
          after = page.lastSeq
          if (isNext) await sleep(pauseMs, turn.signal)
        }
        if (turn.signal.aborted) after = undefined
      } catch (error) {
        if (isEnded()) return
        after = undefined
        if (turn.signal.aborted) continue
        store.set({ ...store.get(), error })
        await sleep(retryMs, turn.signal)
      } finally {
        following.signal.removeEventListener('abort', end)
      }
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    follow(query) {
      const abort = new AbortController()
      const following: Following = { query, signal: abort.signal, restart: () => {} }
      current = following
      void run(following)
      return () => abort.abort()
    },
    refresh: () => current?.restart(),
    async loadBefore(seq = Number.POSITIVE_INFINITY) {
      const following = current
      if (loading || following === undefined) return
      loading = true
      try {
        for (;;) {
          const { rows, missing } = store.get()
          const [first] = rows
          if (first === undefined || missing === 0) return
          const page = await ask(following, { before: first.seq }, following.signal)
          const now = store.get()
          // The filters changed, or the rows were replaced.
          if (following !== current || now.rows[0]?.seq !== first.seq) return
          store.set({ ...now, ...prepend(now, page) })
          if ((page.rows[0]?.seq ?? 0) <= seq || !page.hasBefore) return
        }
      } catch {
        // The next scroll asks again; `run` reports a server that does not answer.
      } finally {
        loading = false
      }
    },
  }
}

function prepend({ rows }: WireState, page: WirePage): Pick<WireState, 'rows' | 'missing'> {
  const all = [...page.rows, ...rows]
  return { rows: all, missing: page.hasBefore ? Math.max(1, page.matches - all.length) : 0 }
}

/** Returns the position of a message in rows of ascending `seq`; -1 if it is not there. */
export function findRow(rows: readonly Pick<WireRow, 'seq'>[], seq: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = rows[middle]?.seq ?? 0
    if (found === seq) return middle
    if (found < seq) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Replaces all rows by those of other filters. A row that has not changed is the same object, and is not drawn again. */
export function startAgain({ rows: before }: WireState, page: WirePage): WireState {
  const rows = page.rows.map(row => {
    const known = before[findRow(before, row.seq)]
    return known !== undefined && isSameJson(known, row) ? known : row
  })
  return addPage({ rows: [], missing: 0 }, { ...page, rows })
}

/** Adds newer rows, and drops those that the server no longer has. An answer completes the row of its request. */
export function addPage(before: WireState, page: WirePage): WireState {
  const { rows: added, hasBefore: _before, hasAfter: _after, ...facts } = page
  const requests = new Map(
    added.flatMap(row => (row.pairSeq !== undefined && row.pairSeq < row.seq ? [[row.pairSeq, row]] : [])),
  )
  const isDropped = (before.rows[0]?.seq ?? facts.firstSeq) < facts.firstSeq
  const older = isDropped ? before.rows.filter(row => row.seq >= facts.firstSeq) : before.rows
  const completed =
    requests.size === 0
      ? older
      : older.map(row => {
          const answer = requests.get(row.seq)
          return answer?.latencyMs === undefined
            ? row
            : { ...row, pairSeq: answer.seq, latencyMs: answer.latencyMs }
        })
  const rows = added.length === 0 ? completed : [...completed, ...added]
  return { rows, missing: Math.max(0, facts.matches - rows.length), facts }
}

/** Resolves after the time, or when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Follows the wire of a source while mounted. @param query must be the same object while the filters are the same */
export function useWireFeed(source: string, query: WireQuery) {
  const backend = useBackend()
  const feed = useMemo(() => createWireFeed(backend, source), [backend, source])
  useEffect(() => feed.follow(query), [feed, query])
  return { feed, state: useSyncExternalStore(feed.subscribe, feed.get) }
}
