/** Puts the HTTP application together from its parts. It does not listen. */
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Health } from '../core/api/api.ts'
import { AppError } from '../core/errors.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { CompareManifests } from './diff/diff-service.ts'
import type { ExampleKeeper } from './examples/example-keeper.ts'
import type { History } from './history/history.ts'
import { agentRoutes } from './http/routes/agents.ts'
import { consoleRoutes } from './http/routes/console.ts'
import { diffRoutes } from './http/routes/diff.ts'
import { errorAnswer } from './http/routes/error-answer.ts'
import { eventRoutes } from './http/routes/events.ts'
import { exampleRoutes } from './http/routes/examples.ts'
import { historyRoutes } from './http/routes/history.ts'
import { invocationRoutes } from './http/routes/invocations.ts'
import { pageRoutes } from './http/routes/page.ts'
import { MAX_BODY_BYTES } from './http/routes/parse.ts'
import { promptRoutes } from './http/routes/prompt.ts'
import { sourceRoutes } from './http/routes/sources.ts'
import { storeRoutes } from './http/routes/store.ts'
import { toolRoutes } from './http/routes/tools.ts'
import { versionRoutes } from './http/routes/versions.ts'
import { type Access, guard, securityHeaders } from './http/security.ts'
import { version } from './package/version.ts'
import type { Versions } from './snapshots/snapshot-recorder.ts'
import type { SourceContext } from './sources/source.ts'
import type { Store } from './store/store.ts'
import type { Validator } from './validation/validator.ts'
import type { Notices } from './watch/notices.ts'

export interface AppParts {
  readonly access: Access
  readonly catalog: Catalog
  readonly validator: Validator
  /** Compares manifests off the main thread. */
  readonly compare: CompareManifests
  readonly versions: Versions
  readonly notices: Notices
  readonly context: SourceContext
  /** Where the console saves scripts; null where there is no configuration file. */
  readonly scripts: string | null
  /** Where examples are kept. */
  readonly examples: ExampleKeeper
  readonly store: Store
  readonly history: History
  /** Absolute folder of the built page. */
  readonly page: string
}

export function createApp(parts: AppParts): Hono {
  const app = new Hono()
  app.onError((thrown, context) => errorAnswer(context, thrown))
  app.use(securityHeaders)
  app.use(guard(parts.access))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: context =>
        errorAnswer(
          context,
          new AppError('request-invalid', `the body is over ${MAX_BODY_BYTES / 1024 / 1024} MiB`),
        ),
    }),
  )
  app.get('/api/health', context =>
    context.json({ status: 'ok', version, node: process.version } satisfies Health),
  )
  app.route('/api', historyRoutes(parts.store))
  app.route('/api', storeRoutes(parts.store))
  app.route('/api', versionRoutes(parts.catalog, parts.versions))
  app.route('/api', toolRoutes(parts.catalog))
  app.route('/api', agentRoutes(parts.catalog))
  app.route('/api', sourceRoutes(parts.catalog, parts.context))
  app.route('/api', invocationRoutes(parts))
  app.route('/api', diffRoutes(parts.catalog, parts.context, parts.versions, parts.compare))
  app.route('/api', consoleRoutes(parts.catalog, parts.scripts))
  app.route('/api', eventRoutes(parts))
  app.route('/api', exampleRoutes(parts))
  app.route('/api', promptRoutes(parts.catalog))
  app.all('/api/*', context =>
    errorAnswer(
      context,
      new AppError('request-invalid', `there is no ${context.req.method} ${context.req.path}`),
    ),
  )
  app.route('/', pageRoutes(parts.page))
  return app
}
