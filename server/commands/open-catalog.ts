/** Opens the sources of a command: the named ones, or those of the configuration. */
import { relative, resolve } from 'node:path'
import type { SourceState } from '../../core/api/sources.ts'
import { AppError, exitCodes, toAppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { Catalog } from '../catalog/catalog.ts'
import type { ConfigFile } from '../catalog/config-sources.ts'
import { shareWire } from '../catalog/create-wire.ts'
import { baseName, fileStatus, isDirectory, namesFile } from '../process/command-line.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import {
  detectSources,
  findFileOfServer,
  mcpSource,
  type SourceArgument,
  withOptions,
} from '../recognise/detect-source.ts'
import { listMcpFilePaths } from '../recognise/discover-mcp.ts'
import { readMcpJson } from '../recognise/mcp-json.ts'
import { readPairs } from '../recognise/typed-line.ts'
import { SignIns } from '../sign-in/sign-ins.ts'
import { InputValues } from '../sources/inputs.ts'
import type { SourceContext, SourceOptions, SourceSpec } from '../sources/source.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import type { SourceWire } from '../wire/source-wire.ts'
import { type CommandContext, printError } from './command.ts'
import { type ConfigInput, type OpenConfig, openConfig } from './open-config.ts'
import { nameByPin } from './open-pins.ts'

export interface OpenInput {
  readonly env?: readonly string[] | undefined
  readonly header?: readonly string[] | undefined
  readonly cwd?: string | undefined
}

export interface CatalogInput extends ConfigInput, OpenInput {
  readonly sources: readonly SourceArgument[]
  readonly database?: string | undefined
}

/** Sources from one origin: an argument or the configuration. `file` updates them when that file changes. */
export interface SourceGroup {
  readonly specs: readonly SourceSpec[]
  readonly file?: ConfigFile
}

export interface Prepared {
  readonly catalog: Catalog
  readonly specs: readonly SourceSpec[]
  /** The same specs, grouped by origin. */
  readonly groups: readonly SourceGroup[]
  readonly context: SourceContext
  readonly signIns: SignIns
  /** Errors of arguments that name no source; the others are not affected. */
  readonly failures: readonly AppError[]
  readonly config: OpenConfig
  /** The command line names the sources. */
  readonly isNamed: boolean
}

/** Reads the options for the sources of a command. Throws AppError `usage`. */
export function readOptions(
  { env = [], header = [], cwd }: OpenInput,
  { directory }: Pick<CommandContext, 'directory'>,
): SourceOptions {
  const startsIn = cwd === undefined ? undefined : resolve(directory, cwd)
  if (startsIn !== undefined && !isDirectory(startsIn))
    throw new AppError('usage', `--cwd: ${startsIn} is not a directory`, {
      hint: 'Name a directory that exists.',
    })
  return withoutUndefined({
    environment: env.length === 0 ? undefined : readPairs(env, { separator: '=', option: '-e, --env' }),
    headers: header.length === 0 ? undefined : readPairs(header, { separator: ':', option: '-H, --header' }),
    directory: startsIn,
  })
}

/**
 * Resolves the sources without opening them. If a configuration names sources that the user does not trust, it asks:
 * throws AppError `config-untrusted` if the answer is no.
 *
 * @param asks false if the caller asks later: until then such sources stay stopped
 * @param wire `own`: the messages of each source are kept; else those that the caller emits are those of every source
 * @param notified receives what MCP servers say at any time
 */
export async function prepareCatalog(
  input: CatalogInput,
  command: CommandContext,
  {
    asks = true,
    notified,
    wire,
  }: { readonly asks?: boolean; readonly wire?: 'own' | SourceWire } & Pick<SourceContext, 'notified'> = {},
): Promise<Prepared> {
  const config = openConfig(input, asks ? command : { ...command, ask: undefined })
  const named = input.sources.length > 0
  const options = readOptions(input, command)
  const { environment, say } = command
  const signIns = new SignIns({ environment, say, databaseUrl: input.database })
  const context: SourceContext = {
    directory: named ? command.directory : config.directory,
    callerDirectory: command.directory,
    environment: command.environment,
    signIns,
    inputValues: new InputValues(),
    ...(notified && { notified }),
    ...(wire === 'own' && { hashForWire: hashManifest }),
    ...(wire !== undefined && wire !== 'own' && { wire: shareWire(wire) }),
  }
  const catalog = new Catalog(context)
  catalog.setForms(config.forms)
  const fromConfig = (names: (name: string) => boolean): SourceGroup => {
    const { path } = config
    const chosen = (from: readonly SourceSpec[]) =>
      from
        .filter(spec => names(spec.settings.name))
        .map(spec => withOptions(namedBy(path ?? '', openedIn(config.directory, spec)), options))
    const specs = chosen(config.specs)
    if (path === null) return { specs }
    const read = () => {
      const next = config.reload()
      catalog.setForms(next.forms)
      return chosen(next.specs)
    }
    return { specs, file: { paths: [path], read, opens: true } }
  }
  const groups: SourceGroup[] = named ? [] : [fromConfig(() => true)]
  const failures: AppError[] = []
  for (const argument of input.sources) {
    try {
      const configured =
        config.specs.some(spec => spec.settings.name === argument) &&
        !(typeof argument === 'string' && namesFile(argument, command.directory))
      groups.push(
        configured
          ? fromConfig(name => name === argument)
          : await fromArgument(argument, { ...context, options }, spec =>
              nameByPin(spec, { catalog, config }, command.directory),
            ),
      )
    } catch (thrown) {
      failures.push(toAppError(thrown))
    }
  }
  // The forms of the configuration apply to every source, even if the command names none of its sources.
  if (!groups.some(({ file }) => file?.paths[0] === config.path)) groups.push(fromConfig(() => false))
  const specs = groups.flatMap(group => group.specs)
  if (asks && specs.some(spec => spec.isTrusted?.() === false)) await config.trust.demand()
  return { catalog, specs, groups, context, signIns, failures, config, isNamed: named }
}

/** The paths of a configuration are relative to it, even if the command line names the source. */
function openedIn(directory: string, spec: SourceSpec): SourceSpec {
  return { ...spec, open: context => spec.open({ ...context, directory }) }
}

const namedBy = (file: string, spec: SourceSpec): SourceSpec => ({ ...spec, origin: { from: 'file', file } })

async function fromArgument(
  argument: SourceArgument,
  context: SourceContext & { readonly options: SourceOptions },
  toNamed: (spec: SourceSpec) => SourceSpec,
): Promise<SourceGroup> {
  const { options } = context
  const specs = await detectSources(argument, context)
  const path = typeof argument === 'string' ? resolve(context.directory, argument) : ''
  if (path === '' || readMcpJson(path) === null) {
    // `mcp.json#files` names the server, as the file does: its command may be another one since the approval.
    const file = findFileOfServer(argument, context.directory)
    const toSpec = (spec: SourceSpec) => (file === undefined ? toNamed(spec) : namedBy(file, spec))
    return { specs: specs.map(spec => toSpec(withOptions(spec, options))) }
  }
  const byFile = (spec: SourceSpec) => withOptions(namedBy(path, spec), options)
  const read = () => (readMcpJson(path) ?? []).map(server => byFile(mcpSource(server)))
  return { specs: specs.map(byFile), file: { paths: [path], read, opens: true } }
}

/**
 * Opens all sources and waits. Throws AppError `usage` if there is nothing to open, and the signal's reason if it
 * aborts.
 *
 * @param before called with the catalog before any source is opened
 */
export async function openCatalog(
  input: CatalogInput,
  command: CommandContext,
  before?: (prepared: Prepared) => void,
): Promise<Prepared> {
  const prepared = await prepareNamed(input, command)
  before?.(prepared)
  await openSources(prepared, prepared.specs, command)
  return prepared
}

/** Works as `prepareCatalog`. Throws AppError `usage` if there is nothing to open. */
export async function prepareNamed(input: CatalogInput, command: CommandContext): Promise<Prepared> {
  const prepared = await prepareCatalog(input, command)
  if (input.sources.length === 0 && prepared.specs.length === 0) throw nothingNamed(command)
  return prepared
}

/** Returns the error for a command without a source. A list of servers in the folder is offered, not started. */
export function nothingNamed({ directory, usage }: CommandContext): AppError {
  const found = listMcpFilePaths(directory).filter(path => fileStatus(path)?.isFile())
  const [first] = found.map(path => relative(directory, path))
  const start = usage?.replace(/ <program.*$/, '') ?? 'toolscope list'
  const hint =
    first === undefined
      ? `Name one: ${usage ?? 'a program or a manifest file'}.`
      : `${first} lists MCP servers. To use them: ${start} ${first}`
  return new AppError('usage', 'no source was named and there is no toolscope.json here or above', { hint })
}

/**
 * Opens some of the sources and waits; signs in, one after the other, if a source requires it and there is a terminal.
 * Throws the signal's reason if it aborts.
 */
export async function openSources(
  { catalog, signIns, isNamed }: Prepared,
  specs: readonly SourceSpec[],
  context: CommandContext,
): Promise<void> {
  const { signal } = context
  const opened = Promise.all(specs.map(spec => catalog.sources.add(spec)))
  const timer = isNamed ? setTimeout(() => printWaiting(catalog, context), patienceMs) : undefined
  const states = await Promise.race([opened, untilStopped(signal)]).finally(() => clearTimeout(timer))
  signal.throwIfAborted()
  for (const { name, error } of states ?? [])
    if (error?.code === 'sign-in-needed') {
      // Imported late, because it loads an HTTP server.
      const { signInAt } = await import('./sign-in.ts')
      await signInAt(catalog.sources.get(name), signIns, context)
    }
}

/** Milliseconds before a command says what it waits for. */
const patienceMs = 2_000

function printWaiting({ sources }: Catalog, context: CommandContext): void {
  const waiting = sources.list().filter(({ status }) => status === 'opening' || status === 'starting')
  for (const { name, label } of waiting) {
    const { requestedAs } = sources.get(name).session ?? {}
    context.say(
      `Waiting for ${label} to list its tools${requestedAs === undefined ? '' : `, asked ${requestedAs}`} …`,
    )
  }
}

/** Opens all sources, and closes them after `work`. Throws AppError `usage` if there is nothing to open. */
export async function withCatalog<Result>(
  input: CatalogInput,
  command: CommandContext,
  work: (prepared: Prepared) => Promise<Result>,
  before?: (prepared: Prepared) => void,
): Promise<Result> {
  const prepared = await openCatalog(input, command, before)
  try {
    return await work(prepared)
  } finally {
    await prepared.catalog.close()
  }
}

/** Returns an error for every source without a list or with an incomplete one. */
export function openFailures(prepared: Prepared): AppError[] {
  return [...prepared.failures, ...prepared.catalog.sources.list().flatMap(state => toFailure(state) ?? [])]
}

/**
 * Returns why the first source on the command line did not open. For a file with several servers, one open server is
 * enough.
 */
export function namedFailure(
  { sources }: CatalogInput,
  { catalog, groups, failures }: Prepared,
): AppError | undefined {
  if (sources.length === 0 || failures.length > 0) return failures[0]
  const findState = (spec: SourceSpec) =>
    catalog.sources.list().find(({ name }) => catalog.sources.get(name).spec === spec)
  const closed = groups
    .map(({ specs }) => specs.flatMap(spec => findState(spec) ?? []))
    .find(group => group.length > 0 && group.every(({ status }) => status === 'failed'))
  return closed?.[0] && toFailure(closed[0])
}

function toFailure({ name, status, error }: SourceState): AppError | undefined {
  if ((status !== 'failed' && status !== 'degraded') || error === undefined) return undefined
  const { code, detail, ...more } = error
  // A detail that begins with the file or the program already names the source.
  const [first = ''] = detail.split(' ', 1)
  return new AppError(code, baseName(first) === name ? detail : `${name}: ${detail}`, more)
}

/** Prints the errors of `openFailures` to stderr and returns them. */
export function reportFailures(prepared: Prepared, context: CommandContext): AppError[] {
  const failures = openFailures(prepared)
  for (const error of failures) printError(error, context)
  return failures
}

/** Throws the first error of a source without a list. */
export function throwFirstFailure(prepared: Prepared): void {
  const [failure] = openFailures(prepared)
  if (failure !== undefined) throw failure
}

/**
 * Returns the exit code for failures that did not stop the command: `signInNeeded` if all of them need a sign-in, else
 * `unreachable`.
 */
export function chooseExitCode(failures: readonly AppError[]): number {
  if (failures.length === 0) return exitCodes.fine
  const needsSignIn = failures.every(({ code }) => code === 'sign-in-needed')
  return needsSignIn ? exitCodes.signInNeeded : exitCodes.unreachable
}

/** Returns the names of these sources in the store. */
export const sourceNames = (sources: readonly SourceArgument[]) =>
  sources.map(source => (typeof source === 'string' ? source : source.join(' ')))

/** Returns the sources that have a list, with it. */
export function readManifests({
  catalog,
}: Prepared): { readonly name: string; readonly manifest: Manifest }[] {
  return catalog.sources.list().flatMap(({ name }) => {
    const manifest = catalog.sources.find(name)?.manifest
    return manifest === undefined ? [] : [{ name, manifest }]
  })
}
