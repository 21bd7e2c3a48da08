/** History over HTTP: lists, reads, pins, deletes and exports calls as JSON Lines; reports the state of the store. */
import { historyEndpoints, type StoredInvocation } from '../../../core/api/history.ts'
import { AppError } from '../../../core/errors.ts'
import { clearInvocations, eachInvocation, listInvocations, toolStats } from '../../store/invocation-list.ts'
import { deleteInvocation, getInvocation, pinInvocation } from '../../store/invocations.ts'
import type { Store } from '../../store/store.ts'
import type { CallFilters } from '../../store/word-search.ts'
import { otherRoute, serve } from '../serve-endpoints.ts'

/** @param sources the only sources whose calls exist here; undefined: all */
export const historyRoutes = (store: Store, sources?: readonly string[]) => {
  const sees = (source: string) => sources === undefined || sources.includes(source)
  /** Throws AppError `not-found`. */
  const find = async (id: string) => {
    const found = await getInvocation(store, id)
    return found !== undefined && sees(found.source) ? found : missing(id)
  }
  /** Throws AppError `not-found` for a call that does not exist here. A damaged call can be deleted, so it is not read. */
  const demand = async (id: string) => {
    if (sources !== undefined) await find(id)
  }
  return serve(historyEndpoints, {
    'GET /api/history': ({ query: { limit, cursor, ...filters } }) =>
      listInvocations(store, { ...filters, sources }, { limit, cursor }),
    'DELETE /api/history': async ({ query: { includePinned, ...filters } }) => {
      return { deleted: await clearInvocations(store, { ...filters, sources }, includePinned === true) }
    },
    'GET /api/history/export': ({ query, context }) => {
      // Throws before the first byte is sent if the store does not work.
      store.database()
      context.header('Content-Type', 'application/jsonl; charset=utf-8')
      context.header('Content-Disposition', 'attachment; filename="toolscope-history.jsonl"')
      return exportLines(store, { ...query, sources })
    },
    'GET /api/history/{id}': ({ params: { id } }) => find(id),
    'PATCH /api/history/{id}': async ({ params: { id }, body }) => {
      await demand(id)
      const summary = (await pinInvocation(store, id, body.pinned)) ?? missing(id)
      return summary
    },
    'DELETE /api/history/{id}': async ({ params: { id } }) => {
      await demand(id)
      if (!(await deleteInvocation(store, id))) missing(id)
      return { deleted: 1 }
    },
    // The reference is one encoded segment: an unencoded `acme/stats` is the tool `stats`.
    'GET /api/tools/{ref}/stats': ({ params: { ref } }) =>
      // An empty reference is that of no tool: its statistics are empty.
      ref.includes('/')
        ? toolStats(store, sees(ref.slice(0, ref.indexOf('/'))) ? ref : '').then(stats => ({ ...stats, ref }))
        : otherRoute,
    'GET /api/store': () => ({ ...store.status(), kind: store.dialect }),
  })
}

/** Yields every call, and at the end how many could not be decoded, if there are any. */
async function* exportLines(
  store: Store,
  filters: CallFilters,
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
