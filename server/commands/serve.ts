/** `toolscope [sources…]`: serves the page until it is stopped. */

import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { toAppError } from '../../core/errors.ts'
import { maxLimitMs, parseDuration } from '../../core/text/duration.ts'
import { counted } from '../../core/text/wording.ts'
import { createApp } from '../app.ts'
import { CallLoad } from '../calls/call-load.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { configSources, type FollowedSources, watchConfig } from '../catalog/config-sources.ts'
import { reportFormProblems } from '../catalog/form-problems.ts'
import type { SourceRegistry } from '../catalog/source-registry.ts'
import { StoredSources } from '../catalog/stored-sources.ts'
import { watchSources } from '../catalog/watch-files.ts'
import { keepInFiles } from '../checks/keep-in-files.ts'
import { keepInStore } from '../checks/keep-in-store.ts'
import { configWriter } from '../config/save-source.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { AppSandbox, isBehindProxy } from '../http/app-sandbox.ts'
import { createGate } from '../http/gate.ts'
import type { JsonLog } from '../http/json-log.ts'
import { listAcceptedHosts, listen, openBrowser, urlHost } from '../http/listen.ts'
import { createAccess } from '../http/security.ts'
import { drainServer, endingMs, ServerActivity } from '../http/server-activity.ts'
import { readMetricsToken, readProxyPeople, serverToken } from '../http/token.ts'
import { openPeople } from '../people/people.ts'
import { createNotices } from '../process/events.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import { version } from '../process/version.ts'
import { discoverMcpServers, listMcpFilePaths } from '../recognise/discover-mcp.ts'
import { createDiffService } from '../versions/diff-service.ts'
import { fallbackSnapshots } from '../versions/memory-snapshots.ts'
import { followTeamRules } from '../versions/read-team-rules.ts'
import { SnapshotRecorder } from '../versions/snapshot-recorder.ts'
import { createChangelogService } from '../versions/source-changelog.ts'
import { Recordings } from '../wire/recordings.ts'
import type { SourceWire } from '../wire/source-wire.ts'
import { inSlices } from '../workers/run-slices.ts'
import { startValidator } from '../workers/validator.ts'
import { type CommandContext, defineCommand, fields, printError, sourceFields } from './command.ts'
import { openHistory } from './open-calls.ts'
import { prepareCatalog, type SourceGroup } from './open-catalog.ts'
import { openPins } from './open-pins.ts'

/** Milliseconds that the ready line waits for slow sources, which continue to open in the background. */
const openGraceMs = 5_000

const drainForms = 'is a time of at most an hour: 10 or 10s (seconds), 1m, 0'

/** The options of `serve` and `record`. */
export const serveFields = {
  ...sourceFields,
  port: fields.port.optional().describe('Port; default 4477, or a free one if it is in use.'),
  host: z
    .string()
    .min(1)
    .optional()
    .describe('Address to listen on; default this machine only. Other addresses need a token.'),
  allowHost: z
    .string()
    .optional()
    .describe('Host names that this server answers to, comma separated: tools.example.com.'),
  appPort: fields.port
    .optional()
    .describe('Port of the frames of apps (MCP Apps); default 4478, or a free one.'),
  appOrigin: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i, 'is an origin: https://apps.example.com')
    .optional()
    .describe('Address under which your proxy passes browsers to --app-port: https://apps.example.com.'),
  tokenFile: fields.tokenFile,
  newToken: z
    .boolean()
    .default(false)
    .describe('Create a new token; links and browsers with the old one are refused.'),
  readOnly: z
    .boolean()
    .default(false)
    .describe('Only browse, compare and read history: no calls, nothing is saved or deleted.'),
  fixedSources: z
    .boolean()
    .default(false)
    .describe('Forbid opening, starting and stopping sources through the page and the API.'),
  audit: z
    .string()
    .optional()
    .describe(
      'Append a line for each call and each change to this file; default stderr if other machines are served.',
    ),
  userHeader: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/, 'is the name of a header')
    .optional()
    .describe(
      'Header in which your proxy names the user: X-Forwarded-User. Without a proxy secret only for --audit.',
    ),
  proxySecretFile: z
    .string()
    .optional()
    .describe(
      'File with the secret by which your proxy signs people in, with --user-header; or TOOLSCOPE_PROXY_SECRET.',
    ),
  proxySecret: z
    .string()
    .optional()
    .describe('The same secret as text, which other users of this machine can read.'),
  proxySecretHeader: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/, 'is the name of a header')
    .default('X-Proxy-Secret')
    .describe('Header in which your proxy sends its secret; default X-Proxy-Secret.'),
  userRights: z
    .string()
    .optional()
    .describe(
      'Rights of users of the proxy that are not in the list of people: read,call. Default: refused.',
    ),
  metricsTokenFile: z
    .string()
    .optional()
    .describe('Read from this file a token that only reads GET /metrics; or TOOLSCOPE_METRICS_TOKEN.'),
  logJson: z
    .boolean()
    .default(false)
    .describe('Write every message, request and audit line to stderr as a line of JSON, and no ready line.'),
  drain: z
    .string()
    .refine(text => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= maxLimitMs, drainForms)
    .default('10s')
    .describe('How long running calls may go on after SIGTERM: 10 or 10s, 1m, 0.'),
  open: z.boolean().default(true).describe('Open the browser.'),
  config: fields.config,
  trust: fields.trust,
  maxCalls: fields.maxCalls,
  database: fields.database,
}

export const serveExits = {
  0: 'it was stopped',
  2: 'the command line or toolscope.json is invalid',
  3: 'none of the named sources exists',
}

type ServeInput = z.infer<z.ZodObject<typeof serveFields>>

export const serveCommand = defineCommand({
  name: 'serve',
  description: 'Serve the page and open it in the browser.',
  input: z.object(serveFields),
  positionals: ['sources'],
  examples: [
    ['toolscope', 'the sources of toolscope.json, and the servers that files of this folder name'],
    ['toolscope "node server.mjs" --port 4477 --no-open', 'a program or MCP server'],
  ],
  exitCodes: serveExits,
  output: z.object({ url: z.string() }),

  async run(input, context) {
    return { output: { url: await serveUntilStopped(input, context) } }
  },

  print() {
    // The ready line was the output.
  },
})

/** Called before the first source is added; the function that it returns is called before the sources are closed. */
type FollowCatalog = (catalog: Catalog) => () => void

/**
 * Serves the page until the context's signal aborts, and returns its address. Throws AppError `usage`, and the error of
 * the only source.
 */
export async function serveUntilStopped(
  input: ServeInput,
  terminal: CommandContext,
  follow?: FollowCatalog,
): Promise<string> {
  keepYoungGenerationSmall()
  const loadLog = async () => (await import('../http/json-log.ts')).createJsonLog(terminal.say)
  const log = input.logJson ? await loadLog() : undefined
  const context = log === undefined ? terminal : { ...terminal, say: log.say }
  const page = await servePage(input, context, { follow, log })
  if (log === undefined) context.write(`toolscope ready: ${page.url}\n`)
  // The query may have the token.
  else
    log.step('start', { version, node: process.version, pid: process.pid, url: new URL('/', page.url).href })
  await page.openBrowser()
  await untilStopped(context.signal)
  if (context.stopSignal?.() === 'SIGTERM') await page.drain()
  await page.close()
  return page.url
}

interface ServedPage {
  /** With the token if only this machine is served. */
  readonly url: string
  /** Opens the browser at a path of the page, `/` by default, unless the input says no or other machines are served. */
  openBrowser(path?: string): Promise<void>
  /** Lets the running calls end for as long as the input says. `close` comes next. */
  drain(): Promise<void>
  close(): Promise<void>
}

interface ServePageOptions {
  readonly follow?: FollowCatalog | undefined
  readonly log?: JsonLog | undefined
  /** The messages of every source, if the caller emits them. */
  readonly wire?: SourceWire
}

/** Starts the page, and waits for its sources for a few seconds. Throws as `serveUntilStopped`. */
export async function servePage(
  input: ServeInput,
  context: CommandContext,
  { follow = () => () => {}, wire, log }: ServePageOptions,
): Promise<ServedPage> {
  // The page asks whether the user trusts the configuration.
  const prepared = await prepareCatalog(input, context, { asks: false, wire: wire ?? 'own' })
  const { catalog, specs, groups, failures, context: sources, signIns, config } = prepared
  // A mistyped command is treated as a source: if there is no other source, its error is the result.
  if (specs.length === 0 && failures[0] !== undefined) throw failures[0]
  for (const error of failures) printError(error, context)
  const alone = input.host === undefined || isLoopback(input.host)
  const hosts = listAcceptedHosts(input)
  // Another host name means that a proxy on this machine is reached from other machines.
  const isLocal = alone && hosts.length === 0
  const by = alone ? `--allow-host ${hosts.join()}` : `--host ${input.host}`
  const { token } = await serverToken(input, { isLocal, by, otherwise: 'kept' }, context)
  const stored = await openHistory(input, config, context)
  signIns.setStore(stored.store)
  // Another loopback address (::1, 127.0.0.2) is also an accepted host name.
  const names = alone && input.host !== undefined ? [...hosts, urlHost(input.host)] : hosts
  const metricsToken = await readMetricsToken(input.metricsTokenFile, context)
  const proxy = await readProxyPeople(input, context)
  const people = await openPeople(stored.store, context.say, proxy)
  const access = createAccess(token, names, state => signIns.pending.has(state), metricsToken)
  const validator = startValidator()
  const diff = createDiffService()
  const changelogs = createChangelogService()
  const page = fileURLToPath(new URL('../page', import.meta.url))
  const store = fallbackSnapshots(stored.store)
  const notices = createNotices(context.say)
  const readRules = followTeamRules(config.path, config.ruleFilesNow, thrown => {
    const { detail, hint } = toAppError(thrown).toShape()
    notices.emit(`Changes are not counted: ${detail}. ${hint}`)
  })
  const versions = new SnapshotRecorder({
    sources: catalog.sources,
    store,
    retention: config.snapshotRetention,
    environment: context.environment,
    countChanges: diff.count,
    readRules,
    say: context.say,
  })
  // A project's examples are stored next to its configuration; without a project they are in the store.
  const examples = config.path === null ? keepInStore(stored.store) : keepInFiles(config.directory)
  const storedSources = new StoredSources({
    sources: catalog.sources,
    store: stored.store,
    context: { ...sources, directory: config.directory },
    say: notices.emit,
    config: configWriter(config, config.directory, context),
  })
  const appSandbox = new AppSandbox(access, {
    port: input.appPort,
    origin: input.appOrigin,
    isProxied: isBehindProxy(input.host, listAcceptedHosts({ allowHost: input.allowHost })),
  })
  const recordings = new Recordings()
  const activity = new ServerActivity(new CallLoad(input.maxCalls ?? config.maxCalls))
  if (log !== undefined) activity.answered.on(log.request)
  const app = createApp({
    access,
    appSandbox,
    gate: createGate(input, isLocal, { ...context, ...(log && { say: log.audit }) }, people),
    catalog,
    validator,
    compare: diff.compare,
    readRules,
    makeEntries: changelogs.make,
    versions,
    notices,
    storedSources,
    context: sources,
    trust: config.trust,
    page,
    ...stored,
    activity,
    countsFromStart: !isLocal || metricsToken !== undefined,
    examples,
    pins: openPins({ catalog, config }, { directory: context.directory, say: notices.emit }),
    recordings,
    projectFolder: config.path === null ? null : config.directory,
  })
  const stopRecording = catalog.sources.onManifest(() => recordings.readManifests())
  const endOpening = activity.beginOpening()
  const { server, url } = await listen(app, access, { ...input, isLocal })
  activity.follow(server)
  await appSandbox.listen(input.host ?? '127.0.0.1')
  const stopFollowing = follow(catalog)
  const stopped = untilStopped(context.signal)
  // Servers that were found in this folder and not named by the user: listed, not started.
  const discoverServers = () => inSlices(discoverMcpServers(context.directory))
  const discovered: SourceGroup = {
    specs: await discoverServers(),
    file: {
      paths: listMcpFilePaths(context.directory),
      read: discoverServers,
      opens: false,
    },
  }
  const stopWatching = watchSources(catalog.sources, context.say)
  const live = [...groups, ...(input.sources.length === 0 ? [discovered] : [])].map(group =>
    followGroup(catalog.sources, group, notices.emit),
  )
  // All names are in use before a saved source gets one, and all sources known before keys of forms are compared.
  await Promise.all(live.map(group => group.listed))
  const notifyProblem = (problem: string) => notices.emit(`${config.path}: ${problem}`)
  // Reports errors in the rules at the start, not at the first comparison.
  readRules().catch(() => {})
  const stopReporting = reportFormProblems(catalog, input.sources.length === 0, notifyProblem)
  // Saved sources open after those of files and the command line, whose names take precedence.
  const opened = Promise.all([...live.map(group => group.opened), storedSources.load()])
  await Promise.race([opened, stopped, setTimeout(openGraceMs, undefined, { ref: false })])
  endOpening()
  return {
    url,
    async openBrowser(path = '/') {
      const entry = new URL(path, url)
      entry.search = `?code=${access.codes.create(true)}`
      await openBrowser(entry.href, input.open && alone)
    },
    async drain() {
      const drainMs = parseDuration(input.drain) ?? 0
      // Cancelled calls and unsent answers have some time more.
      context.setTimeToEnd?.(drainMs + 2 * endingMs)
      const { running, waiting } = activity.load.counts
      const open = running + waiting
      if (log !== undefined) log.step('drain', { running, waiting, maxMs: drainMs })
      else if (open > 0) context.say(`Stopping: waiting up to ${input.drain} for ${counted(open, 'call')}.`)
      const { cancelled } = await drainServer(activity, drainMs)
      context.setTimeToEnd?.(0)
      log?.step('stop', { cancelled })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      appSandbox.close()
      stopReporting()
      stopRecording()
      stopFollowing()
      await recordings.close()
      await Promise.all([stopWatching(), ...live.map(group => group.stop())])
      await versions.close()
      await catalog.close()
      await people.close()
      await stored.close()
      await validator.close()
      await diff.close()
      await changelogs.close()
    },
  }
}

/**
 * V8's space for new objects doubles up to 48 MB under load and is not returned. This flag prevents the growth at the
 * cost of more frequent collections. V8 reads it at each growth, so it also works in a running program.
 */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Opens a group of sources and, if a file names them, follows its changes.
 *
 * @param say receives the file's error each time the file changes
 */
function followGroup(
  sources: SourceRegistry,
  { specs, file }: SourceGroup,
  say: (line: string) => void,
): Omit<FollowedSources, 'update'> {
  if (file === undefined) {
    const opened = Promise.all(specs.map(spec => sources.add(spec)))
    return { listed: Promise.resolve(), opened, stop: async () => {} }
  }
  const { update, ...followed } = configSources(sources, file, specs)
  const stopWatching = watchConfig(file, update, say)
  return {
    ...followed,
    async stop() {
      await Promise.all([stopWatching(), followed.stop()])
    },
  }
}
