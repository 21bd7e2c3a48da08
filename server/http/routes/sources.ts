/** The sources: list, add, change, start, stop and refresh. */

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import { type SourceList, sourceEndpoints } from '../../../core/api/sources.ts'
import { AppError } from '../../../core/errors.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { SourceConnection } from '../../catalog/source-connection.ts'
import type { StoredSources } from '../../catalog/stored-sources.ts'
import type { ExampleKeeper } from '../../checks/example-keeper.ts'
import { baseName, fileStatus, quoteWords } from '../../process/command-line.ts'
import { serversNamedBy } from '../../recognise/detect-source.ts'
import { foundServer, recogniseText } from '../../recognise/recognise.ts'
import { isTypedLine } from '../../recognise/recognise-line.ts'
import { callbackPath } from '../../sign-in/callback-route.ts'
import type { SourceSignIn } from '../../sign-in/sign-ins.ts'
import type { SnapshotRecorder } from '../../versions/snapshot-recorder.ts'
import { serve } from '../serve-endpoints.ts'

export const sourceRoutes = (
  catalog: Catalog,
  storedSources: StoredSources,
  examples: ExampleKeeper,
  versions: SnapshotRecorder,
) => {
  const { sources } = catalog
  const listed = () => ({
    sources: sources.list(),
    removed: sources.listRemoved(),
    examples: exampleSources(),
  })
  /** Waits for a change of a source, then saves it if the page added the source. */
  const after = async <Answer>(name: string, done: Promise<Answer>): Promise<Answer> => {
    const answer = await done
    await storedSources.keep(name)
    return answer
  }
  /** Opens all servers that an mcp.json names. Returns the first; the event stream reports the others. */
  const addEntry = async (entry: SourceEntry, name: string | undefined) => {
    const { line = '', ...more } = entry
    const servers = serversNamedBy(line, storedSources.directory)
    if (servers === null) return storedSources.add({ entry, name })
    const entries = servers.flatMap(server => {
      const found = foundServer(server, server.directory)
      const own = servers.length === 1 ? (name ?? found.name) : found.name
      return found.entry === undefined ? [] : [{ name: own, entry: withSettings(found.entry, more) }]
    })
    const [first] = await storedSources.addAll(entries)
    if (first === undefined) throw new AppError('source-unrecognised', `${line} names no server`)
    return first
  }
  return serve(sourceEndpoints, {
    'GET /api/sources': listed,
    'POST /api/sources': ({ body: { input = '', entry = { line: input }, name } }) => addEntry(entry, name),
    'POST /api/sources/probe': ({ body }) => storedSources.probe(body),
    'POST /api/sources/recognise': ({ body: { name, text } }) =>
      name === '' && isTypedLine(text) ? storedSources.recogniseLine(text) : recogniseText(name, text),
    'POST /api/manifests': ({ body: { name, text } }) =>
      storedSources.add({ entry: { text }, name: baseName(name), isProposed: true }),
    'POST /api/sources/{name}/refresh': ({ params: { name }, context }) =>
      versions.readBy(context.get('person')?.name, name, () => sources.refresh(name)),
    'POST /api/sources/{name}/restart': ({ params: { name } }) => after(name, sources.restart(name)),
    'POST /api/sources/{name}/stop': ({ params: { name } }) => after(name, sources.stop(name)),
    'GET /api/sources/{name}/entry': ({ params }) => ({ entry: storedSources.entryOf(params.name) }),
    'PUT /api/sources/{name}': async ({ params: { name }, body }) => {
      const state = await storedSources.change(name, withoutUndefined(body))
      if (state.name === name) return state
      await examples.renameSource(name, state.name)
      // The snapshot recorder renames the stored versions itself; this waits until it has.
      await versions.idle()
      return state
    },
    'GET /api/sources/{name}/config-change': ({ params }) => storedSources.configChange(params.name),
    'POST /api/sources/{name}/config-change': ({ params, body }) =>
      storedSources.saveToConfig(params.name, body.before),
    'DELETE /api/sources/{name}': async ({ params: { name } }) => {
      await after(name, sources.remove(name))
      return listed()
    },
    'POST /api/sources/{name}/restore': async ({ params }) => {
      const state = await sources.restore(params.name)
      await storedSources.keep(state.name)
      return state
    },
    'POST /api/sources/{name}/sign-in': async ({ params, context: { req } }) => {
      const connection = sources.get(params.name)
      const url = await requireSignIn(connection).start(
        callbackUrl(req.header('origin') ?? `http://${req.header('host')}`),
        error => (error === undefined ? connection.restart('opened') : connection.signInFailed(error)),
      )
      return withoutUndefined({ url })
    },
    'POST /api/sources/{name}/sign-out': async ({ params }) => {
      await requireSignIn(sources.get(params.name)).end()
      // The list belonged to the signed-in user.
      await sources.stop(params.name)
      return sources.restart(params.name)
    },
    'PUT /api/sources/{name}/directory': ({ params, body }) =>
      sources.setDirectory(params.name, body.directory.trim()),
    'PUT /api/sources/{name}/call-settings': ({ params: { name }, body }) =>
      after(name, sources.setCallSettings(name, body)),
    'GET /api/sources/{name}/log': ({ params }) => ({
      lines: sources.get(params.name).logLines(),
    }),
  })
}

/**
 * Returns the entry of a file's server with the user's settings, which win. Its variables stay in one record, so that
 * the stored masks of all of them are found again.
 */
function withSettings(found: SourceEntry, { environment, ...settings }: SourceEntry): SourceEntry {
  const { mcp } = found
  if (environment === undefined) return { ...found, ...settings }
  if (mcp === undefined || !('command' in mcp)) return { ...found, ...settings, environment }
  return { ...found, ...settings, mcp: { ...mcp, env: { ...mcp.env, ...environment } } }
}

/** Throws AppError `request-invalid` if the source has no sign-in. */
function requireSignIn({ name, session }: SourceConnection): SourceSignIn {
  if (session?.signIn !== undefined) return session.signIn
  throw new AppError('request-invalid', `"${name}" has no sign-in`, {
    hint: 'Only an open MCP server at an address has a sign-in, and only if no Authorization header is configured for it.',
  })
}

/** RFC 8252, 7.3: authorization servers accept a loopback redirect by its IP address, not by the name localhost. */
const callbackUrl = (origin: string) =>
  new URL(callbackPath, origin.replace(/^http:\/\/localhost(?=:|$)/i, 'http://127.0.0.1')).href

const shipped = [
  {
    name: 'acme',
    about: 'Acme Cloud: a command-line program with 16 tools',
    path: 'acme/acme.mjs',
    words: ['node'],
  },
  {
    name: 'functions',
    about: 'An llm-functions directory: three languages, and an agent',
    path: 'functions',
    words: [],
  },
]

/** Not part of the package: npx downloads it from the npm registry, only after the user's click. */
const referenceServer = {
  name: 'server-everything',
  about: 'The reference MCP server: tools, prompts, resources. npx downloads it',
  input: 'npx -y @modelcontextprotocol/server-everything',
}

/** Returns the examples whose files exist, with the input that opens each. */
function exampleSources(): SourceList['examples'] {
  const folder = examplesFolder()
  if (folder === null) return []
  const found = shipped.flatMap(({ name, about, path, words }) => {
    const full = join(folder, path)
    return fileStatus(full) === null ? [] : [{ name, about, input: quoteWords([...words, full]) }]
  })
  return [...found, referenceServer]
}

/** `examples/` of the installed package, above the bundle (dist/server) or the sources (server). */
function examplesFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let depth = 0; depth < 3; depth++) {
    folder = dirname(folder)
    const candidate = join(folder, 'examples')
    if (fileStatus(candidate)?.isDirectory()) return candidate
  }
  return null
}
