/** Versions of a source and of a tool, and their labels. */
import { Hono } from 'hono'
import { AppError } from '../../../core/errors.ts'
import { isLabel } from '../../../core/snapshot/reference.ts'
import { type VersionList, versionsQuery } from '../../../core/snapshot/snapshot.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Versions } from '../../snapshots/snapshot-recorder.ts'
import { sourceVersions } from '../../snapshots/source-timeline.ts'
import { toolVersions } from '../../snapshots/tool-timeline.ts'
import { parseWith } from './parse.ts'

export function versionRoutes(catalog: Catalog, versions: Versions): Hono {
  const routes = new Hono()
  const listOf = (source: string, query: Record<string, string>): Promise<VersionList> =>
    sourceVersions(source, parseWith(versionsQuery, query).limit, versions.sourcesOf(source))

  routes.get('/sources/:name/versions', async context =>
    context.json(await listOf(context.req.param('name'), context.req.query())),
  )
  routes.put('/sources/:name/versions/:number/labels/:label', async context => {
    const { name, number, label } = context.req.param()
    if (!isLabel(label))
      throw new AppError('request-invalid', `"${label}" cannot be a label`, {
        hint: 'A label holds letters, digits, ".", "_", "+" and "-", and is no number and no date.',
      })
    await versions.store.setLabel(name, /^\d{1,9}$/.test(number) ? Number(number) : 0, label)
    return context.json(await listOf(name, {}))
  })
  routes.delete('/sources/:name/labels/:label', async context => {
    const { name, label } = context.req.param()
    await versions.store.removeLabel(name, label)
    return context.json(await listOf(name, {}))
  })
  routes.get('/tools/:ref{.+}/versions', async context => {
    const ref = context.req.param('ref')
    // A tool may be called so, and come without its slashes encoded.
    if (catalog.tools.has(`${ref}/versions`)) return context.json(catalog.tools.detail(`${ref}/versions`))
    const { source, name } = catalog.callTarget(ref).tool
    const { limit } = parseWith(versionsQuery, context.req.query())
    return context.json(await toolVersions(source, name, limit, versions.sourcesOf(source)))
  })
  return routes
}
