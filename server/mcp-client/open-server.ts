/**
 * Opens a session with an MCP server. It is imported with the first session, because the MCP client takes long to load.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import type { SignInConfig } from '../../core/api/source-entry.ts'
import { toErrorMessage } from '../../core/errors.ts'
import { maskWords, secretsOfAddress, secretValues } from '../../core/tool/mask.ts'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { HiddenCatalog } from '../hidden-catalog/hidden-catalog.ts'
import { formatCommand, resolveProgram } from '../process/command-line.ts'
import { ServerSignIn } from '../sign-in/server-sign-in.ts'
import type { Inputs } from '../sources/inputs.ts'
import type { HttpServer, StdioServer } from '../sources/mcp-server-config.ts'
import { programEnvironment } from '../sources/program-environment.ts'
import { programFiles } from '../sources/program-files.ts'
import { findLocation, withHome } from '../sources/server-entry.ts'
import type { Session, SourceContext, SourceSettings } from '../sources/source.ts'
import { connectAddress } from './http-connection.ts'
import type { ClientOffer } from './lenient-client.ts'
import { connectProcess } from './mcp-connection.ts'
import { McpSession } from './session.ts'

export function openProcess(config: StdioServer, settings: SourceSettings, context: SourceContext): Session {
  const { variables, problems } = prepareVariables(context)
  const resolvePath = (path: string) =>
    resolve(context.directory, withHome(interpolate(path, variables), homedir()))
  const directory = resolvePath(config.directory ?? '.')
  const command = config.command.map(word => interpolate(word, variables))
  const own = {
    ...settings.environment,
    ...(config.envFile === undefined ? {} : readVariables(resolvePath(config.envFile), problems)),
    ...interpolateAll(config.env ?? {}, variables),
  }
  const environment = programEnvironment(
    context.environment,
    { ...settings, environment: own },
    config.inherits ?? 'safe',
  )
  const confirmVariables = { ...context.environment, ...own }
  // The label shows the command as written, because the value of a variable may be a secret.
  const label = formatCommand(config.command)
  return new McpSession(
    {
      label,
      problems,
      answerTimeoutMs: settings.listTimeoutMs,
      offer: readOffer(settings, context, variables),
      hiddenCatalog: readHiddenCatalog(settings, context, confirmVariables),
      logLevel: (context.callSettings ?? settings).logLevel,
      watch: () => programFiles(command, directory),
      confirmVariables,
      secrets: [...maskWords(command).secrets, ...secretValues(own), ...(context.inputs?.secrets ?? [])],
      connect: (events, signal) =>
        connectProcess(
          {
            argv: resolveProgram(command, directory, environment),
            directory,
            environment,
            label,
            wire: context.wire,
          },
          events,
          signal,
        ),
    },
    context,
  )
}

export function openAddress(config: HttpServer, settings: SourceSettings, context: SourceContext): Session {
  const { variables, problems } = prepareVariables(context)
  const address = {
    url: interpolate(config.url, variables),
    headers: interpolateAll(config.headers ?? {}, variables),
    oldStream: config.oldStream === true,
    redirects: config.redirects,
  }
  const signIn = signInAt(address, interpolateAll(config.signIn ?? {}, variables), context)
  return new McpSession(
    {
      label: hideAddressSecrets(config.url),
      problems,
      answerTimeoutMs: settings.listTimeoutMs,
      offer: readOffer(settings, context, variables),
      hiddenCatalog: readHiddenCatalog(settings, context),
      logLevel: (context.callSettings ?? settings).logLevel,
      secrets: [
        ...secretsOfAddress(address.url),
        ...secretValues(address.headers),
        ...(context.inputs?.secrets ?? []),
      ],
      signIn,
      connect: (events, signal) => connectAddress({ ...address, signIn, wire: context.wire }, events, signal),
    },
    context,
  )
}

/** A server receives only folders that the user names: some give access to these, and to no others. */
function readOffer(defined: SourceSettings, context: SourceContext, variables: Interpolation): ClientOffer {
  const { era = 'auto', sampling = true, roots = [] } = context.callSettings ?? defined
  const paths = roots.map(root => withHome(interpolate(root, variables), homedir()))
  return {
    era,
    sampling,
    roots: paths.map(path => {
      const folder = resolve(context.directory, path)
      return { uri: pathToFileURL(folder).href, name: basename(folder) }
    }),
  }
}

/**
 * Returns what unfolds the tools behind a server's own tools, by the settings of its source.
 *
 * @param environment the variables that hold the confirm rules; see `Session.confirmVariables`
 */
export function readHiddenCatalog(
  defined: SourceSettings,
  context: SourceContext,
  environment: NodeJS.ProcessEnv = { ...context.environment, ...defined.environment },
): HiddenCatalog {
  const { ownTools } = context.callSettings ?? defined
  return new HiddenCatalog({ mode: ownTools, pattern: defined.hiddenCatalog, environment })
}

/** Undefined if the user configured an Authorization header. */
function signInAt(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  config: SignInConfig,
  { signIns }: SourceContext,
): ServerSignIn | undefined {
  const isNamed = Object.keys(headers).some(name => name.toLowerCase() === 'authorization')
  if (signIns === undefined || isNamed || !URL.canParse(url)) return undefined
  return new ServerSignIn(new URL(url), config, signIns)
}

/** Returns the variables of an `envFile`. An unreadable file is a problem that the page shows. */
function readVariables(path: string, problems: ManifestProblem[]): Record<string, string> {
  try {
    // `parseEnv` never returns an undefined value, although its type allows it.
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>
  } catch (thrown) {
    problems.push({
      message: `The variables of its "envFile" are missing: ${toErrorMessage(thrown)}`,
      hint: 'Make the file, or remove "envFile" from the entry. Then restart the source.',
    })
    return {}
  }
}

/** Variables come from Toolscope's environment; each one without a value is a problem that the page shows. */
function prepareVariables(context: SourceContext) {
  const problems: ManifestProblem[] = []
  const seen = new Set<string>()
  const unresolved = (written: string) => {
    if (seen.has(written)) return
    seen.add(written)
    problems.push({
      message: `${written} has no value: it was passed on as it is written.`,
      hint: 'Set it in the environment that Toolscope is started from, then restart the source.',
    })
  }
  return {
    problems,
    variables: {
      environment: context.environment,
      directory: context.directory,
      inputs: context.inputs,
      unresolved,
    },
  }
}

/**
 * Variables in a server's configuration: `${env:NAME}` (VS Code, Cursor and Toolscope's own files), `${NAME}` and
 * `${NAME:-otherwise}` (Claude), `${workspaceFolder}`, which is the file's directory, and from VS Code and Cursor
 * `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`, `${/}` and `${input:ID}`.
 */
const variable = /\$\{([^{}]*)\}/g

interface Interpolation {
  readonly environment: NodeJS.ProcessEnv
  readonly directory: string
  readonly inputs?: Inputs | undefined
  /** Receives the text of each variable without a value; the text stays in place. */
  readonly unresolved: (written: string) => void
}

function interpolate(text: string, interpolation: Interpolation): string {
  return text.replace(variable, (written, inside: string) => {
    const value = valueOfVariable(inside, interpolation)
    if (value === undefined) interpolation.unresolved(written)
    return value ?? written
  })
}

function valueOfVariable(
  inside: string,
  { environment, directory, inputs }: Interpolation,
): string | undefined {
  const location = findLocation(inside, directory)
  if (location !== undefined) return location
  if (inside.startsWith('input:')) return inputs?.values.get(inside.slice('input:'.length))
  const [, name = '', otherwise] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/.exec(inside) ?? []
  return environment[name] || otherwise
}

/** Interpolates the values of a record. The result has no prototype, because its keys are text from a file. */
function interpolateAll(
  record: Readonly<Record<string, string>>,
  interpolation: Interpolation,
): Record<string, string> {
  const result: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(record)) result[key] = interpolate(value, interpolation)
  return result
}
