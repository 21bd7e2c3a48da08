/** History over HTTP: lists, reads, pins, deletes and exports calls as JSON Lines; reports the state of the store. */
import { type HistoryFilters, historyEndpoints, type StoredInvocation } from '../../../core/api/history.ts'
import { AppError } from '../../../core/errors.ts'
import { clearInvocations, eachInvocation, listInvocations, toolStats } from '../../store/invocation-list.ts'
import { deleteInvocation, getInvocation, pinInvocation } from '../../store/invocations.ts'
import type { Store } from '../../store/store.ts'
import { otherRoute, serve } from '../serve-endpoints.ts'

export const historyRoutes = (store: Store) =>
  serve(historyEndpoints, {
    'GET /api/history': ({ query: { limit, cursor, ...filters } }) =>
      listInvocations(store, filters, { limit, cursor }),
    'DELETE /api/history': async ({ query: { includePinned, ...filters } }) => {
      return { deleted: await clearInvocations(store, filters, includePinned === true) }
    },
    'GET /api/history/export': ({ query, context }) => {
      // Throws before the first byte is sent if the store does not work.
      store.database()
      context.header('Content-Type', 'application/jsonl; charset=utf-8')
      context.header('Content-Disposition', 'attachment; filename="toolscope-history.jsonl"')
      return exportLines(store, query)
    },
    'GET /api/history/{id}': async ({ params: { id } }) => (await getInvocation(store, id)) ?? missing(id),
    'PATCH /api/history/{id}': async ({ params: { id }, body }) =>
      (await pinInvocation(store, id, body.pinned)) ?? missing(id),
    'DELETE /api/history/{id}': async ({ params: { id } }) => {
      if (!(await deleteInvocation(store, id))) missing(id)
      return { deleted: 1 }
    },
    // The reference is one encoded segment: an unencoded `acme/stats` is the tool `stats`.
    'GET /api/tools/{ref}/stats': ({ params: { ref } }) =>
      ref.includes('/') ? toolStats(store, ref) : otherRoute,
    'GET /api/store': () => ({ ...store.status(), kind: store.dialect }),
  })

/** Yields every call, and at the end how many could not be decoded, if there are any. */
async function* exportLines(
  store: Store,
  filters: HistoryFilters,
): AsyncGenerator<StoredInvocation | { skipped: number }> {
  let skipped = 0
  yield* eachInvocation(store, filters, () => {
    skipped += 1
  })
  if (skipped > 0) yield { skipped }
}

function missing(id: string): never {
  throw new AppError('not-found', `there is no call ${id.slice(0, 100)} in history`)
}
