/** Builds the HTTP application from its parts. It does not listen on a port. */
import type { Context, Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { contract } from '../core/api/contract.ts'
import { auditEndpoints } from '../core/api/people.ts'
import { describePersonRefusal, type PersonRights } from '../core/api/rights.ts'
import type { TeamRules } from '../core/diff/team-rules.ts'
import { AppError } from '../core/errors.ts'
import { isObject } from '../core/json/json.ts'
import type { CountTexts } from '../core/prompt/fields.ts'
import { type Caller, createCaller } from './calls/call.ts'
import type { Catalog } from './catalog/catalog.ts'
import { limitCatalog } from './catalog/limited-catalog.ts'
import type { StoredSources } from './catalog/stored-sources.ts'
import type { ExampleKeeper } from './checks/example-keeper.ts'
import type { History } from './history/history.ts'
import type { AppSandbox } from './http/app-sandbox.ts'
import { errorAnswer } from './http/error-answer.ts'
import { endWithPerson, type Gate, type RequestOwner, withGate, withOwner } from './http/gate.ts'
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
import { invocationRoutes, RunningCalls } from './http/routes/invocations.ts'
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
import { createHono, createRefusalAudit, limitBody, serve } from './http/serve-endpoints.ts'
import { type ServerActivity, withActivity } from './http/server-activity.ts'
import type { Pins } from './pins/source-pins.ts'
import type { Notices } from './process/events.ts'
import { callbackRoute } from './sign-in/callback-route.ts'
import type { SourceContext } from './sources/source.ts'
import type { Store } from './store/store.ts'
import { listAudit } from './store/stored-people.ts'
import type { CompareSides } from './versions/diff-service.ts'
import type { SnapshotRecorder } from './versions/snapshot-recorder.ts'
import { createSourceChangelogs, type MakeEntries } from './versions/source-changelog.ts'
import { Recordings } from './wire/recordings.ts'
import { createTokenService } from './workers/token-service.ts'
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

/** Distinct sets of sources for which the routes of limited people are kept. */
const maxLimitedRoutes = 100

/** The parts that the routes of all people share. */
interface SharedParts {
  readonly call: Caller
  readonly running: RunningCalls
  readonly live: LiveEvents
  readonly countTexts: CountTexts
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
  const shared = {
    call,
    running: new RunningCalls(validator),
    live,
    countTexts: createTokenService(),
  }
  const limited = new LRUCache<string, Hono>({ max: maxLimitedRoutes })
  const findRoutes = (sources: PersonRights['sources']) => {
    const key = JSON.stringify(sources ?? null)
    const routes = limited.get(key) ?? createRoutes(limitParts(parts, sources), shared)
    limited.set(key, routes)
    return routes
  }
  const app = createHono()
  app.use(securityHeaders(({ req }) => parts.appSandbox.originFor(req.header('host'))))
  app.use(withGate(parts.gate))
  app.use(withActivity(parts.activity))
  app.use(guard(parts.access, createRefusalAudit(contract)))
  // Before the body is read, which may take minutes.
  app.use((context, next) => {
    endWithPerson(context)
    return next()
  })
  app.use(limitBody)
  // A person that may not open sources has routes of its own, with only the parts that it may know of.
  app.use('/api/*', async (request, next) => {
    const person = request.get('person')
    const isLimited = person !== undefined && describePersonRefusal('sources', person) !== undefined
    if (!isLimited) return next()
    const owner: RequestOwner = { gate: parts.gate, person }
    return findRoutes(person.sources).fetch(request.req.raw, { ...toBindings(request.env), owner })
  })
  app.route('/', healthRoutes(parts))
  app.route('/', createRoutes(parts, shared))
  if (context.signIns !== undefined) app.route('/', callbackRoute(context.signIns))
  app.route('/', pageRoutes(parts.page))
  return app
}

/** Returns the request and the answer of Node; in tests there are none. */
const toBindings = (env: unknown) => (isObject(env) ? env : {})

interface RouteParts extends AppParts {
  /** The only sources that exist for these routes; undefined: all. */
  readonly onlySources?: PersonRights['sources']
}

/** Returns the parts of a person without the right `sources`; if it is limited to some, there is nothing of others in them. */
function limitParts(parts: AppParts, onlySources: PersonRights['sources']): RouteParts {
  // As with --fixed-sources: no other files, and no versions of sources that are not open.
  const gate = { ...parts.gate, mode: { ...parts.gate.mode, fixedSources: true } }
  if (onlySources === undefined) return { ...parts, gate }
  const names = new Set(onlySources)
  return {
    ...parts,
    gate,
    onlySources,
    catalog: limitCatalog(parts.catalog, names),
    recordings: new Recordings(parts.recordings, name => names.has(name)),
    // The configuration names every source, and a script may call the tools of each.
    trust: { file: null, list: () => [], fingerprint: () => '', agree() {}, withdraw() {} },
    projectFolder: null,
  }
}

function createRoutes(parts: RouteParts, { call, running, live, countTexts }: SharedParts): Hono {
  const { catalog, validator, context, versions, store, onlySources } = parts
  const tools = onlySources && catalog
  const callFor = (request: Context) =>
    parts.gate.people?.callerFor(call, request.get('person'), tools) ?? call
  const sees = (source: string | undefined) => source !== undefined && onlySources?.includes(source) === true
  const app = createHono()
  app.use(withOwner)
  const routes = [
    rightRoutes(),
    historyRoutes(store, onlySources),
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
    pinRoutes(catalog, parts.pins),
    appRoutes(catalog, parts.pins, parts.appSandbox),
    invocationRoutes({ catalog, validator, callFor, running, store }),
    diffRoutes(catalog, context, versions, parts.compare, parts.readRules, parts.gate.mode),
    consoleRoutes(catalog, parts.projectFolder),
    eventRoutes(live, parts.activity, onlySources && sees),
    exampleRoutes({ ...parts, callFor }),
    generatedCheckRoutes({ ...parts, callFor }),
    compareRoutes({ ...parts, callFor }),
    promptRoutes(catalog, countTexts),
    wireRoutes(catalog, parts.pins, parts.recordings),
    serve(auditEndpoints, {
      'GET /api/audit': async ({ query }) => ({ entries: await listAudit(store, query) }),
    }),
  ]
  for (const each of routes) app.route('/', each)
  app.all('/api/*', context =>
    errorAnswer(
      context,
      new AppError('request-invalid', `there is no ${context.req.method} ${context.req.path}`),
    ),
  )
  return app
}
