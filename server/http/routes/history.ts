/** History over HTTP: listed, read, pinned, deleted, handed out as JSON Lines. */
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { AppError } from '../../../core/errors.ts'
import { clearQuery, historyFilters, historyQuery, pinBody } from '../../../core/history/history.ts'
import { clearInvocations, eachInvocation, listInvocations } from '../../store/invocation-list.ts'
import { toolStats } from '../../store/invocation-stats.ts'
import { deleteInvocation, getInvocation, pinInvocation } from '../../store/invocations.ts'
import type { Store } from '../../store/store.ts'
import { parseWith, readBody } from './parse.ts'

export function historyRoutes(store: Store): Hono {
  const routes = new Hono()

  routes.get('/history', async context => {
    const { limit, cursor, ...filters } = parseWith(historyQuery, context.req.query())
    return context.json(await listInvocations(store, filters, { limit, cursor }))
  })

  routes.delete('/history', async context => {
    const { includePinned, ...filters } = parseWith(clearQuery, context.req.query())
    const deleted = await clearInvocations(store, filters, includePinned === true)
    if (deleted > 0) store.announce({ kind: 'invocation', id: '*' })
    return context.json({ deleted })
  })

  routes.get('/history/export', context => {
    const filters = parseWith(historyFilters, context.req.query())
    // Fails before the first byte where there is no memory at all.
    store.database()
    context.header('Content-Type', 'application/jsonl; charset=utf-8')
    context.header('Content-Disposition', 'attachment; filename="toolscope-history.jsonl"')
    return stream(context, async lines => {
      for await (const invocation of eachInvocation(store, filters)) {
        if (lines.aborted) return
        await lines.write(`${JSON.stringify(invocation)}\n`)
      }
    })
  })

  routes.get('/history/:id', async context => {
    const id = context.req.param('id')
    return context.json((await getInvocation(store, id)) ?? missing(id))
  })

  routes.patch('/history/:id', async context => {
    const id = context.req.param('id')
    const { body } = await readBody(context, pinBody)
    const summary = (await pinInvocation(store, id, body.pinned)) ?? missing(id)
    store.announce({ kind: 'invocation', id })
    return context.json(summary)
  })

  routes.delete('/history/:id', async context => {
    const id = context.req.param('id')
    if (!(await deleteInvocation(store, id))) missing(id)
    store.announce({ kind: 'invocation', id })
    return context.json({ deleted: 1 })
  })

  // One encoded segment: an unencoded `acme/stats` is the tool `stats`.
  routes.get('/tools/:ref/stats', async (context, next) => {
    const ref = context.req.param('ref')
    if (!ref.includes('/')) return next()
    return context.json(await toolStats(store, ref))
  })
  return routes
}

function missing(id: string): never {
  throw new AppError('not-found', `there is no call ${id.slice(0, 100)} in history`)
}
