/** Routes for programs that watch a server: whether it runs, whether it is ready, and its figures. */
import { sql } from 'kysely'
import { healthEndpoints } from '../../../core/api/contract.ts'
import { toErrorMessage } from '../../../core/errors.ts'
import { isTimeLimit, runWithLimit } from '../../process/run-with-limit.ts'
import { version } from '../../process/version.ts'
import type { Store } from '../../store/store.ts'
import type { MetricParts, Metrics } from '../metrics.ts'
import { type Access, isOperator } from '../security.ts'
import { serve } from '../serve-endpoints.ts'
import { proveToken } from '../token.ts'

/** A store that takes longer is not ready. */
const maxStoreMs = 1_000
/** An answer about the store holds for this time: a probe needs no token, and must not be a load. */
const storeAnswerMs = 500

export interface HealthParts extends MetricParts {
  readonly access: Access
  /** Whether figures are counted from the start; else from the first request for them. */
  readonly countsFromStart: boolean
}

export function healthRoutes(parts: HealthParts) {
  const { access, activity, store } = parts
  const askStore = rememberAnswer(() => describeStoreProblem(store))
  let started: Promise<Metrics> | undefined
  const openMetrics = () => {
    started ??= import('../metrics.ts').then(({ startMetrics }) => startMetrics(parts))
    return started
  }
  if (parts.countsFromStart) openMetrics().catch(() => {})
  return serve(healthEndpoints, {
    'GET /api/health': ({ query: { nonce } }) => ({
      status: 'ok',
      version,
      node: process.version,
      ...(nonce === undefined ? {} : { proof: proveToken(access, nonce) }),
    }),
    'GET /api/health/ready': async ({ context }) => {
      const draining = activity.isDraining ? 'The server stops: it takes no new calls.' : undefined
      const opening = activity.isOpening ? 'The server starts: its sources are being opened.' : undefined
      const reasons = [opening, draining, await askStore()].filter(reason => reason !== undefined)
      const ready = reasons.length === 0
      if (!ready) context.status(503)
      return { ready, ...(isOperator(context, access) ? { reasons } : {}) }
    },
    'GET /metrics': async ({ context }) => {
      const metrics = await openMetrics()
      const text = await metrics.render()
      context.header('Content-Type', metrics.contentType)
      return text
    },
  })
}

/** Asks the store, which is migrated before it is `ready`. Returns undefined if it answers. Never rejects. */
async function describeStoreProblem(store: Store): Promise<string | undefined> {
  const { state, error } = store.status()
  if (state === 'off') return `${error?.title}: ${error?.detail}`
  // Queries that wait for a connection say that the server is busy; a lost database makes the store `off`.
  const isBusy = () => (store.pool()?.waiting ?? 0) > 0
  if (isBusy()) return undefined
  try {
    await runWithLimit([], maxStoreMs, () => sql`select 1`.execute(store.database()))
    return undefined
  } catch (thrown) {
    if (isBusy()) return undefined
    return isTimeLimit(thrown) ? `The store did not answer in ${maxStoreMs} ms.` : toErrorMessage(thrown)
  }
}

/** Returns a function that calls `ask` again only when the last answer is older than `storeAnswerMs`. */
function rememberAnswer<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; readonly at: number } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at > storeAnswerMs)
      last = { answer: ask(), at: performance.now() }
    return last.answer
  }
}
