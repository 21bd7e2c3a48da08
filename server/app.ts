/** Builds the HTTP application from its parts. It does not listen on a port. */
import type { Hono } from 'hono'
import { contract } from '../core/api/contract.ts'
import type { TeamRules } from '../core/diff/team-rules.ts'
import { AppError } from '../core/errors.ts'
import { createCaller } from './calls/call.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { StoredSources } from './catalog/stored-sources.ts'
import type { ExampleKeeper } from './checks/example-keeper.ts'
import type { History } from './history/history.ts'
import type { AppSandbox } from './http/app-sandbox.ts'
import { errorAnswer } from './http/error-answer.ts'
import { type Gate, withGate } from './http/gate.ts'
import { LiveEvents } from './http/live-events.ts'
import { appRoutes } from './http/routes/apps.ts'
import { clientRoutes } from './http/routes/clients.ts'
import { compareRoutes } from './http/routes/compare.ts'
import { consoleRoutes } from './http/routes/console.ts'
import { eventRoutes } from './http/routes/events.ts'
import { exampleRoutes } from './http/routes/examples.ts'
import { generatedCheckRoutes } from './http/routes/generated-checks.ts'
import { healthRoutes } from './http/routes/health.ts'
import { historyRoutes } from './http/routes/history.ts'
import { invocationRoutes } from './http/routes/invocations.ts'
import { pageRoutes } from './http/routes/page.ts'
import { pinRoutes } from './http/routes/pins.ts'
import { promptRoutes } from './http/routes/prompt.ts'
import { rightRoutes } from './http/routes/rights.ts'
import { sourceRoutes } from './http/routes/sources.ts'
import { toolRoutes } from './http/routes/tools.ts'
import { type TrustKeeper, trustRoutes } from './http/routes/trust.ts'
import { diffRoutes, versionRoutes } from './http/routes/versions.ts'
import { wireRoutes } from './http/routes/wire.ts'
import { type Access, guard, securityHeaders } from './http/security.ts'
import { createHono, createRefusalAudit, limitBody } from './http/serve-endpoints.ts'
import { type ServerActivity, withActivity } from './http/server-activity.ts'
import type { Pins } from './pins/pins.ts'
import type { Notices } from './process/events.ts'
import { callbackRoute } from './sign-in/callback-route.ts'
import type { SourceContext } from './sources/source.ts'
import type { Store } from './store/store.ts'
import type { CompareSides } from './versions/diff-service.ts'
import type { SnapshotRecorder } from './versions/snapshot-recorder.ts'
import { createSourceChangelogs, type MakeEntries } from './versions/source-changelog.ts'
import type { Recordings } from './wire/recordings.ts'
import type { Validator } from './workers/validator.ts'

export interface AppParts {
  readonly access: Access
  readonly gate: Gate
  /** The origin of the apps. */
  readonly appSandbox: AppSandbox
  readonly catalog: Catalog
  readonly validator: Validator
  readonly activity: ServerActivity
  /** Whether figures are counted from the start; else from the first request for them. */
  readonly countsFromStart: boolean
  /** Compares manifests off the main thread. */
  readonly compare: CompareSides
  /** Reads the current rules of every comparison. */
  readonly readRules: () => Promise<TeamRules>
  /** Makes changelogs off the main thread. */
  readonly makeEntries: MakeEntries
  readonly versions: SnapshotRecorder
  readonly notices: Notices
  readonly storedSources: StoredSources
  readonly context: SourceContext
  /** The record of what the user has trusted in the configuration. */
  readonly trust: TrustKeeper
  /** The folder of toolscope.json; null without a configuration file. */
  readonly projectFolder: string | null
  readonly examples: ExampleKeeper
  readonly pins: Pins
  readonly store: Store
  readonly history: History
  readonly recordings: Recordings
  /** Absolute path of the built page. */
  readonly page: string
}

export function createApp(parts: AppParts): Hono {
  const { catalog, validator, context, history, versions } = parts
  const call = createCaller({
    tools: catalog,
    validator,
    load: parts.activity.load,
    pins: parts.pins,
    record: { history, versions },
  })
  const live = new LiveEvents(parts)
  parts.activity.live = live
  const app = createHono()
  app.use(securityHeaders(({ req }) => parts.appSandbox.originFor(req.header('host'))))
  app.use(withGate(parts.gate))
  app.use(withActivity(parts.activity))
  app.use(guard(parts.access, createRefusalAudit(contract)))
  app.use(limitBody)
  const routes = [
    healthRoutes(parts),
    rightRoutes(parts.gate.mode),
    historyRoutes(parts.store),
    versionRoutes(
      catalog,
      versions,
      createSourceChangelogs(parts.makeEntries, parts.readRules),
      parts.gate.mode,
    ),
    toolRoutes(catalog, parts.pins),
    sourceRoutes(catalog, parts.storedSources, parts.examples, versions),
    clientRoutes(catalog, parts.storedSources, context),
    trustRoutes(parts.trust, catalog.sources),
    pinRoutes(parts.pins),
    appRoutes(catalog, parts.pins, parts.appSandbox),
    invocationRoutes({ catalog, validator, call }),
    diffRoutes(catalog, context, versions, parts.compare, parts.readRules, parts.gate.mode),
    consoleRoutes(catalog, parts.projectFolder),
    eventRoutes(live, parts.activity),
    exampleRoutes({ ...parts, call }),
    generatedCheckRoutes({ ...parts, call }),
    compareRoutes({ ...parts, call }),
    promptRoutes(catalog),
    wireRoutes(catalog, parts.pins, parts.recordings),
  ]
  for (const each of routes) app.route('/', each)
  if (context.signIns !== undefined) app.route('/', callbackRoute(context.signIns))
  app.all('/api/*', context =>
    errorAnswer(
      context,
      new AppError('request-invalid', `there is no ${context.req.method} ${context.req.path}`),
    ),
  )
  app.route('/', pageRoutes(parts.page))
  return app
}
