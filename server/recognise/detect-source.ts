/**
 * The kinds of source, in the order in which a bare argument is tried, and the conversion of an argument into a source.
 */
import { join, resolve } from 'node:path'
import parseArgv from 'string-argv'
import { AppError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { counted } from '../../core/text/wording.ts'
import { mask, maskValues, maskWords } from '../../core/tool/mask.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { functionsDirectory } from '../llm-functions/functions-directory.ts'
import { bridgeUrl } from '../mcp-client/bridge-url.ts'
import { mcpServer } from '../mcp-client/mcp-server.ts'
import { fileStatus, formatCommand, withAbsolutePaths } from '../process/command-line.ts'
import { readRecordingPath, recording } from '../replay/recording-source.ts'
import { readInputs } from '../sources/inputs.ts'
import { llmsProgram } from '../sources/llms-program.ts'
import { openMasked } from '../sources/masked.ts'
import type { HttpServer, McpServerConfig, StdioServer } from '../sources/mcp-server-config.ts'
import { fillEnvironment } from '../sources/program-environment.ts'
import {
  loneWord,
  type SourceContext,
  type SourceKind,
  type SourceOptions,
  type SourceSettings,
  type SourceSpec,
} from '../sources/source.ts'
import { address } from './address.ts'
import { manifestFile } from './manifest-file.ts'
import { type McpJsonServer, readMcpJson, serverId } from './mcp-json.ts'
import { prefixedProgram, program } from './program.ts'
import { isGeneric, proposePathName, proposeProgramName } from './source-name.ts'
import { readTypedLine, readWords } from './typed-line.ts'

/** `@scope/name`, also with a version: a package of npm, which is hardly ever the name of a file. */
const scopedPackage = /^@[a-z0-9~-][a-z0-9._~-]{0,100}\/[a-z0-9~-][a-z0-9._~-]{0,100}(?:@[\w.^~-]{1,40})?$/

const kinds = [
  mcpServer,
  bridgeUrl,
  prefixedProgram,
  address,
  functionsDirectory,
  recording,
  manifestFile,
  program,
] as const

/** An argument that names a source: text as typed, or words that are used unchanged. */
export type SourceArgument = string | readonly string[]

/** Additional settings from the user. */
interface DetectSettings {
  /** `name` takes precedence over the proposed one. */
  readonly settings?: Partial<SourceSettings>
  /** Working directory of a program or of tools. */
  readonly directory?: string | undefined
  /** Headers for a URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Determines what an argument names. It starts nothing and reads at most the beginning of a file.
 * Throws AppError `source-not-found` or `source-unrecognised` with the places that were searched, and `not-an-address`.
 */
export async function detectSource(
  argument: SourceArgument,
  context: SourceContext,
  given: DetectSettings = {},
): Promise<SourceSpec> {
  return withOptions(await detectKind(argument, context, given), context.options)
}

async function detectKind(
  typedArgument: SourceArgument,
  context: SourceContext,
  { settings: given = {}, directory, headers }: DetectSettings,
): Promise<SourceSpec> {
  const { words, ...typed } = readArgument(typedArgument, context.directory)
  const typedOrGiven = { ...typed.environment, ...given.environment, ...context.options?.environment }
  const environment = Object.keys(typedOrGiven).length > 0 ? typedOrGiven : undefined
  const settings = { ...given, ...withoutUndefined({ environment }) }
  const startsIn = resolve(context.directory, directory ?? context.options?.directory ?? '.')
  const argument = formatMaskedArgument(
    withAbsolutePaths(withAbsolutePaths(words, startsIn), context.directory),
    settings,
  )
  const server = serverOfFile(words, context.directory) ?? onlyServer(words, context.directory)
  if (server !== null) return { ...mcpSource(server, settings), argument }
  for (const kind of kinds) {
    // A relative program is found in the directory in which it starts.
    const config = await kind.detect(words, kind === program ? { ...context, directory: startsIn } : context)
    if (config === null) continue
    const written = 'url' in config ? config.url : 'bridge' in config ? config.bridge : ''
    const url = URL.canParse(written) ? written : undefined
    if (url === undefined && written !== '') throw new AppError('not-an-address', hideAddressSecrets(written))
    const name = url === undefined ? sourceName(kind.kind, words, context.directory) : new URL(url).host
    const label = url === undefined ? formatLabel(words) : hideAddressSecrets(url)
    Object.assign(config, withoutUndefined(url === undefined ? { directory } : { headers }))
    const spec = buildSpec(kind, config, { name, ...settings }, label)
    const named = { ...spec, argument, isNameWeak: isWeakName(name, url), ...withoutUndefined({ url }) }
    return addArgumentOptions(named, { headers, directory: directory === undefined ? undefined : startsIn })
  }
  const [first = ''] = words
  const firstPath = resolve(context.directory, first)
  if (fileStatus(firstPath)?.isDirectory()) throw notASource(firstPath)
  const path = resolve(startsIn, first)
  throw new AppError(
    'source-not-found',
    `${first} (looked for the file ${path} and for a program on PATH)`,
    scopedPackage.test(first) ? { hint: `If it is an npm package: toolscope "npx -y ${first}".` } : {},
  )
}

/** Whether a server's own name says more than the proposed one: an address of this machine, or a word like `index`. */
const isWeakName = (name: string, url: string | undefined) =>
  url === undefined ? isGeneric(name) : isLoopback(new URL(url).hostname)

/** Returns the error for a directory that is not a source. Its mcp.json is a source only by its own path. */
function notASource(directory: string): AppError {
  const file = join(directory, 'mcp.json')
  return fileStatus(file)?.isFile()
    ? new AppError('source-unrecognised', `${directory} has no functions.json`, {
        hint: `To open its mcp.json, name the file: ${file}`,
      })
    : new AppError('source-unrecognised', `${directory} has no functions.json or mcp.json`)
}

/**
 * Like detectSource, for an argument that may name several sources: a file with `mcpServers` (or VS Code's `servers`)
 * is one source per server. Throws AppError `config-invalid` if such a file cannot be read.
 */
export async function detectSources(
  argument: SourceArgument,
  context: SourceContext,
): Promise<readonly SourceSpec[]> {
  const servers = serversNamedBy(argument, context.directory)
  if (servers === null) return [await detectSource(argument, context)]
  const [file = ''] = withAbsolutePaths(toWords(argument, context.directory), context.directory)
  return servers.map(server => {
    const argument = formatCommand([servers.length === 1 ? file : `${file}#${serverId(server)}`])
    return withOptions({ ...mcpSource(server), argument }, context.options)
  })
}

/**
 * Returns the servers of the file that an argument names; null if it is not a file of servers. Throws as `readMcpJson`.
 */
export function serversNamedBy(argument: SourceArgument, directory: string): readonly McpJsonServer[] | null {
  const words = toWords(argument, directory)
  return words.length === 1 ? readMcpJson(resolve(directory, words[0] ?? '')) : null
}

/**
 * Returns the server of a file with one server. Throws AppError `source-unrecognised` if the file has several or none.
 */
function onlyServer(words: readonly string[], directory: string): McpJsonServer | null {
  const servers = serversNamedBy(words, directory)
  if (servers === null || servers.length === 1) return servers?.[0] ?? null
  const [file = ''] = words
  throw new AppError('source-unrecognised', `${file} names ${counted(servers.length, 'server')}, not one`, {
    hint:
      servers.length === 0
        ? 'Add a server to it.'
        : `Name one: ${servers.map(each => `${file}#${serverId(each)}`).join(', ')}.`,
  })
}

/** `FILE#SERVER`: returns one server of a file that names several; null if the words do not have this form. */
export function serverOfFile(words: readonly string[], directory: string): McpJsonServer | null {
  const named = fileAndServer(words, directory)
  const servers = named && readMcpJson(named.path)
  if (!servers) return null
  const found = servers.find(server => serverId(server) === named.id)
  if (found !== undefined) return found
  throw new AppError('source-not-found', `${named.path} names no server "${named.id}"`, {
    hint: `It names ${servers.map(serverId).join(', ')}.`,
  })
}

/** Returns the file of servers of an argument that names one of them, absolute; undefined for any other argument. */
export function findFileOfServer(argument: SourceArgument, directory: string): string | undefined {
  const words = toWords(argument, directory)
  const file = fileAndServer(words, directory)?.path ?? resolve(directory, loneWord(words) ?? '')
  return readMcpJson(file) === null ? undefined : file
}

/** Returns the parts of `FILE#SERVER`; the path is absolute. */
export function fileAndServer(words: readonly string[], directory: string) {
  const [word, file, id = ''] = /^(.+\.(?:json|toml))#(.+)$/s.exec(loneWord(words) ?? '') ?? []
  if (word === undefined || file === undefined || fileStatus(resolve(directory, word)) !== null) return null
  return { path: resolve(directory, file), id }
}

/** Returns a server of an mcp.json as a source that is not started yet. */
export function mcpSource(server: McpJsonServer, given: Partial<SourceSettings> = {}): SourceSpec {
  const { name, config, directory, file = '', inputs = [] } = server
  const settings = { name, ...server.settings, ...given }
  if ('broken' in config)
    return {
      settings,
      kind: mcpServer.kind,
      label: name,
      definition: config.broken,
      open: () =>
        Promise.reject(
          new AppError('config-invalid', file === '' ? config.broken : `${file}: ${config.broken}`, {
            hint: config.hint ?? 'Fix this entry of the file.',
          }),
        ),
    }
  const label = 'url' in config ? hideAddressSecrets(config.url) : formatCommand(config.command)
  const spec = buildSpec(mcpServer, config, settings, label)
  return {
    ...spec,
    server: withoutUndefined({ config, directory, inputs }),
    ...(server.disabled ? { listedOnly: true } : {}),
    async open(context) {
      const from = directory ?? context.callerDirectory ?? context.directory
      const { inputValues: values, environment } = context
      return spec.open({
        ...context,
        directory: from,
        inputs: readInputs(inputs, file, { values, environment }),
      })
    },
  }
}

/**
 * Returns the command-line argument for a source: its variables with masked values, as `readTypedLine` reads them, and
 * its words.
 */
export function formatMaskedArgument(
  words: readonly string[],
  { environment = {} }: Pick<SourceSettings, 'environment'>,
): string {
  const variables = Object.entries(maskValues(environment)).map(([name, value]) => `${name}=${value}`)
  return formatCommand([...variables, ...words])
}

/** Returns a source as it was typed, secrets masked. */
export const formatArgument = (text: string) => formatLabel(parseArgv(text))

/** Returns the words as typed, without the secrets of a URL. */
function formatLabel(words: readonly string[]): string {
  const [first = ''] = words
  return words.length === 1 && URL.canParse(first) ? hideAddressSecrets(first) : formatCommand(words)
}

function sourceName(kind: string, words: readonly string[], directory: string): string {
  const [path = ''] = words
  if (kind === recording.kind)
    return path.includes('#') ? path.slice(path.indexOf('#') + 1) : proposePathName(resolve(directory, path))
  if (kind === 'manifest-file' || kind === 'functions-directory')
    return proposePathName(resolve(directory, path))
  const [first = '', ...rest] = words
  const { visible: masked } = maskWords([first.replace(/^(?:mcp|llms):/, ''), ...rest])
  return proposeProgramName(
    masked.filter(word => word !== '' && word !== mask),
    directory,
  )
}

/** Returns the spec of an entry of toolscope.json, whose shape config.ts has checked. */
export function configuredSource(
  entry: {
    command?: readonly string[] | undefined
    manifest?: string | undefined
    functions?: string | undefined
    recording?: string | undefined
    mcp?: McpServerConfig | undefined
    bridge?: string | undefined
  },
  settings: SourceSettings,
  more: Omit<Parameters<typeof llmsProgram.open>[0], 'command'>,
): SourceSpec {
  if (entry.manifest !== undefined)
    return buildSpec(manifestFile, { manifest: entry.manifest }, settings, entry.manifest)
  if (entry.functions !== undefined)
    return buildSpec(
      functionsDirectory,
      withoutUndefined({ functions: entry.functions, directory: more.directory }),
      settings,
      entry.functions,
    )
  if (entry.recording !== undefined)
    return buildSpec(recording, readRecordingPath(entry.recording), settings, entry.recording)
  if (entry.bridge !== undefined)
    return buildSpec(bridgeUrl, { bridge: entry.bridge }, settings, hideAddressSecrets(entry.bridge))
  if (entry.mcp !== undefined) {
    const { mcp } = entry
    const config = 'url' in mcp ? mcp : withoutUndefined({ ...mcp, directory: more.directory })
    return buildSpec(
      mcpServer,
      config,
      settings,
      'url' in mcp ? hideAddressSecrets(mcp.url) : formatCommand(mcp.command),
    )
  }
  const command = entry.command ?? []
  return buildSpec(llmsProgram, { command, ...more }, settings, formatCommand(command))
}

/** Returns the words of an argument: a single word if it is a file of `directory`. */
export function toWords(argument: SourceArgument, directory: string): readonly string[] {
  return readArgument(argument, directory).words
}

const readArgument = (argument: SourceArgument, directory: string) =>
  typeof argument === 'string' ? readTypedLine(argument, directory) : readWords(argument)

/** Returns a source that is opened with options of the command line; its own are kept without them. */
export function withOptions(spec: SourceSpec, options: SourceOptions | undefined): SourceSpec {
  if (options === undefined) return spec
  const settings = addVariables(spec.settings, options)
  const server = spec.server && { ...spec.server, config: applyOptions(spec.server.config, options) }
  const directory = spec.kind === functionsDirectory.kind ? options.directory : undefined
  return {
    ...addArgumentOptions(spec, options),
    settings,
    ...withoutUndefined({ server, directory }),
    open: context => spec.open({ ...context, options }),
  }
}

/** Returns a source with the options that a command line needs to open it: headers of an address, else a directory. */
export function addArgumentOptions(spec: SourceSpec, { headers, directory }: SourceOptions): SourceSpec {
  const isAddress = spec.url !== undefined || (spec.server !== undefined && 'url' in spec.server.config)
  const given = isAddress ? { headers } : { directory }
  return { ...spec, argumentOptions: { ...spec.argumentOptions, ...withoutUndefined(given) } }
}

const addVariables = <Settings extends Pick<SourceSettings, 'environment'>>(
  settings: Settings,
  { environment }: SourceOptions,
): Settings =>
  environment === undefined
    ? settings
    : { ...settings, environment: { ...settings.environment, ...environment } }

/** Returns the configuration of a source with the options of the command line, which take precedence. */
function applyOptions<Config extends object>(
  config: Config,
  { headers = {}, directory, environment }: SourceOptions,
): Config {
  if ('url' in config) {
    const given = Object.keys(headers).map(name => name.toLowerCase())
    const own = 'headers' in config ? Object.entries(config.headers ?? {}) : []
    const rest = own.filter(([name]) => !given.includes(name.toLowerCase()))
    return given.length === 0 ? config : { ...config, headers: { ...Object.fromEntries(rest), ...headers } }
  }
  if ('manifest' in config || 'bridge' in config || 'recording' in config) return config
  // The variables of a server's entry would take precedence over those of its settings.
  const isEntry = environment !== undefined && ('env' in config || 'envFile' in config)
  if (directory === undefined && !isEntry) return config
  const env = { ...('env' in config ? (config.env as object) : {}), ...environment }
  return { ...config, ...withoutUndefined({ directory }), ...(isEntry ? { env } : {}) }
}

/** The name is left out: it does not change how a source is opened. */
function toDefinitionText(kind: string, config: unknown, { name: _, ...settings }: SourceSettings): string {
  return canonicalJson([kind, config, settings])
}

/** Returns how an MCP client would start or reach a source; undefined if the source is a file or a bridge. */
function toServer(config: object): SourceSpec['server'] {
  if ('url' in config) return { config: config as HttpServer }
  return 'command' in config ? { config: config as StdioServer } : undefined
}

function toolDirectory(config: { readonly functions?: string; readonly directory?: string | undefined }) {
  return config.functions === undefined ? undefined : config.directory
}

function buildSpec<Config extends object>(
  kind: Pick<SourceKind<Config>, 'kind' | 'open'>,
  config: Config,
  settings: SourceSettings,
  label: string,
): SourceSpec {
  return {
    settings,
    kind: kind.kind,
    label,
    definition: toDefinitionText(kind.kind, config, settings),
    ...withoutUndefined({ server: toServer(config), directory: toolDirectory(config) }),
    async open(context) {
      const { options = {} } = context
      const filled = fillEnvironment(addVariables(settings, options), context.environment)
      return openMasked(inner => kind.open(applyOptions(config, options), filled, inner), context, filled)
    },
  }
}
