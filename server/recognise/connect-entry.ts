/** Converts a source into the entry that another MCP client gets (core/prompt/connect.ts). It starts nothing. */
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import parseArgv from 'string-argv'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import {
  type ConnectEntry,
  type ConnectionTexts,
  canReachAddresses,
  connectTo,
} from '../../core/prompt/connect.ts'
import { type ConnectClientId, connectClients } from '../../core/prompt/connect-clients.ts'
import { withAbsolutePaths } from '../process/command-line.ts'
import { toInputVariable } from '../sources/inputs.ts'
import { findLocation, withHome } from '../sources/server-entry.ts'
import type { SourceSpec } from '../sources/source.ts'
import { type Machine, userFiles } from './client-files.ts'
import { readMcpJson } from './mcp-json.ts'

/** `server`: the client starts or reaches the server itself · `toolscope`: it starts `toolscope mcp`. */
export type Via = 'server' | 'toolscope'

export interface ConnectSource {
  readonly name: string
  /** The kind that was detected when the source was opened; for a source that was never opened, the kind of its argument. */
  readonly kind: string
  readonly label: string
  readonly spec: SourceSpec
}

/** The kinds of which only opening shows whether they are MCP servers. */
export const uncertainKinds: readonly string[] = ['program', 'address']

/**
 * Returns the texts that give a source to another client.
 * Throws AppError `request-invalid` if the client cannot have the source, or not in this way.
 *
 * @param via absent: the server itself if the client can have it, otherwise through Toolscope
 * @param directory the folder that relative paths of the source start from, unless its file sets another one. Absolute.
 */
export function connectSource(
  source: ConnectSource,
  { client, via }: { readonly client: ConnectClientId; readonly via?: Via | undefined },
  { directory, machine }: { readonly directory: string; readonly machine: Machine },
): ConnectionTexts & { readonly via: Via } {
  const { file, isConfig } = readOrigin(source.spec)
  const base = source.spec.server?.directory ?? (isConfig ? dirname(file) : directory)
  const own = via === 'toolscope' ? undefined : ownServer(source, client, { base, isAsked: via === 'server' })
  const server = own ?? throughToolscope(source, base)
  const { title } = connectClients[client]
  const userFile = userFiles(machine).find(each => each.client === title)?.path
  // The API masks every literal value of the environment of a source of the page.
  const hidesEnvironment = source.spec.origin?.from === 'page'
  const { notes, ...connection } = connectTo(
    client,
    { name: source.name, server, hidesEnvironment },
    userFile,
  )
  if (own !== undefined) return { ...connection, via: 'server', notes }
  const inArguments = connection.variables.filter(name => !Object.hasOwn(server.env ?? {}, name))
  const unfilled =
    source.kind === 'program' && inArguments.length > 0
      ? [
          `A program that is not an MCP server gets its arguments as they are: write the value of ${inArguments.join(', ')} there.`,
        ]
      : []
  const needed = `The program "toolscope" must be on the PATH of ${title}.`
  return { ...connection, via: 'toolscope', notes: [...notes, ...unfilled, needed] }
}

/** Returns the file that names a source, and whether it is a toolscope.json. */
function readOrigin({ origin, argument }: SourceSpec) {
  const file = origin?.from === 'file' ? origin.file : ''
  return { file, isConfig: file !== '' && argument === undefined && readMcpJson(file) === null }
}

/**
 * Returns how the client reaches the server; undefined if it cannot. Throws AppError `request-invalid` if the user asked
 * for exactly this.
 */
function ownServer(
  { name, kind, label, spec }: ConnectSource,
  client: ConnectClientId,
  { base, isAsked }: { readonly base: string; readonly isAsked: boolean },
): ConnectEntry['server'] | undefined {
  const refuse = (why: string) => {
    if (!isAsked) return undefined
    throw new AppError('request-invalid', why, { hint: 'Connect it through Toolscope: --via toolscope.' })
  }
  const { config } = spec.server ?? {}
  const isServer = kind === 'mcp-server' || (isAsked && uncertainKinds.includes(kind))
  if (config === undefined || !isServer) return refuse(`"${name}" is not an MCP server`)
  const fill = (text: string) => fillLocations(text, base)
  const fillAll = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, fill(text)]))
  if ('url' in config) {
    if (!canReachAddresses(client))
      return refuse(`${connectClients[client].title} has no addresses in its file, and "${name}" is one`)
    // An address may have been opened at `/mcp`, which its label then shows.
    const usual = `${config.url.replace(/\/+$/, '')}/mcp`
    const url = label === usual ? usual : fill(config.url)
    return withoutUndefined({ url, headers: fillAll(config.headers ?? {}), isOldStream: config.oldStream })
  }
  const path = (text: string | undefined) =>
    text === undefined ? undefined : resolve(base, withHome(fill(text), homedir()))
  const startsIn = path(config.directory)
  return withoutUndefined({
    command: withAbsolutePaths(config.command.map(fill), startsIn ?? base),
    env: fillAll({ ...spec.settings.environment, ...config.env }),
    directory: startsIn,
    envFile: path(config.envFile),
  })
}

const fillLocations = (text: string, directory: string) =>
  text.replace(/\$\{([^{}]*)\}/g, (written, inside: string) => findLocation(inside, directory) ?? written)

/** Returns the source as `toolscope mcp` takes it. Throws AppError `request-invalid` if it cannot be named there. */
function throughToolscope({ name, kind, spec }: ConnectSource, base: string): ConnectEntry['server'] {
  if (kind === 'manifest-file')
    throw new AppError('request-invalid', `"${name}" is a manifest file: its tools cannot be called`, {
      hint: 'Connect the program or the server that the manifest describes.',
    })
  const { settings, server } = spec
  const { file, isConfig } = readOrigin(spec)
  // A source of a file takes what its entry there says; the client only passes the variables that the entry names.
  if (file !== '') {
    const env = namedVariables([settings.environment, server?.config])
    if (isConfig) return { source: [settings.name], options: ['--config', file], env }
    return {
      source: spec.argument === undefined ? [`${file}#${settings.name}`] : toWords(spec.argument),
      env,
    }
  }
  if (spec.argument === undefined)
    throw new AppError('request-invalid', `"${name}" cannot be named on a command line`, {
      hint: 'Save it to toolscope.json first.',
    })
  const { config } = server ?? {}
  const isAddress = config !== undefined && 'url' in config
  const own = config !== undefined && 'env' in config ? config.env : undefined
  const startsIn = config !== undefined && 'directory' in config ? config.directory : undefined
  return {
    source: toWords(spec.argument),
    options: startsIn === undefined ? [] : ['--cwd', resolve(base, startsIn)],
    env: { ...namedVariables([config]), ...settings.environment, ...own },
    ...withoutUndefined({ headers: isAddress ? config.headers : undefined }),
  }
}

/** Returns the words of an argument without the variables before them, which the entry has as its environment. */
function toWords(argument: string): readonly string[] {
  const words = parseArgv(argument)
  const first = words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word))
  return words.slice(Math.max(0, first))
}

/** Returns each variable and each input that a configuration names, as itself. */
function namedVariables(config: unknown): Record<string, string> {
  const found = JSON.stringify(config).matchAll(
    /\$\{(?:input:([^{}"\\]+)|(?:env:)?([A-Za-z_]\w*)(?::-[^{}]*)?)\}/g,
  )
  const entries = Array.from(found, ([, input, name = '']) => {
    if (input === undefined) return [name, `\${env:${name}}`] as const
    const variable = toInputVariable(input)
    return [variable, `\${input:${variable}}`] as const
  })
  return Object.fromEntries(entries.filter(([name]) => findLocation(name, '') === undefined))
}
