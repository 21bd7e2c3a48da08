/** Describes the command or the address of a source as a pin has it, without its secrets. */
import { createHash } from 'node:crypto'
import { isAbsolute, join, relative } from 'node:path'
import type { ClientInput } from '../../core/api/clients.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { type UnknownObject, withoutUndefined } from '../../core/json/json.ts'
import { isSecretVariable } from '../../core/tool/is-secret.ts'
import { mask, maskWords } from '../../core/tool/mask.ts'
import type { SourceSpec } from '../sources/source.ts'

export interface AddressBase {
  /** The folder of the command line, relative to that of the lock: a typed command names other files there. */
  readonly typedIn?: string | undefined
  /** The folder of the lock, absolute: folders in it are written relative to it. */
  readonly folder?: string | undefined
}

/**
 * Returns what is started or requested, without secrets: its command and its variables, or its address.
 */
export function describeAddress(
  spec: SourceSpec,
  { typedIn = '', folder: base }: AddressBase = {},
): UnknownObject {
  const { settings, server, kind, label } = spec
  const config = server?.config
  // The label of a bridge is its address, also if a file names it.
  const usual = kind === bridgeKind ? label : undefined
  const url = spec.url ?? (config && 'url' in config ? config.url : usual)
  const { inherit, environment, hiddenCatalog } = settings
  // Which tool a call is sent to, and how, is a part of the way to the server.
  const common = {
    inputs: describeDefaults(server?.inputs),
    hiddenCatalog: hiddenCatalog && hideSecrets(canonicalJson(hiddenCatalog)),
  }
  if (url !== undefined) {
    const isRedirected = config && 'redirects' in config && config.redirects === 'any-host'
    const redirects = isRedirected ? config.redirects : undefined
    return withoutUndefined({ url: hideSecrets(url), redirects, ...common })
  }
  const fromLock = (folder?: string) => {
    if (folder !== undefined && isAbsolute(folder))
      return base === undefined ? folder : toRelative(base, folder)
    return spec.origin !== undefined || typedIn === '' ? folder : join(typedIn, folder ?? '')
  }
  if (config === undefined || !('command' in config))
    return withoutUndefined({
      kind,
      label,
      directory: fromLock(spec.directory),
      variables: describeVariables(environment),
      inherit,
    })
  const workspace = server?.directory
  const { command, env, envFile, directory = workspace } = config
  return withoutUndefined({
    command: hideInCommand(command),
    directory: fromLock(directory),
    // Its words may start there: `${workspaceFolder}/a.mjs`.
    workspace: workspace === undefined || workspace === directory ? undefined : fromLock(workspace),
    envFile,
    // How a program of toolscope.json takes its input.
    flags: 'flags' in config ? config.flags : undefined,
    variables: describeVariables({ ...environment, ...env }),
    inherit,
    ...common,
  })
}

/** A default is used unless the user gives another value: with it, a file chooses the command. */
function describeDefaults(inputs: readonly ClientInput[] = []): UnknownObject | undefined {
  const defaults = inputs.flatMap(({ id, isSecret, default: value }) => {
    if (value === undefined) return []
    const isHidden = isSecret || isSecretVariable(id, value)
    return [[id, isHidden ? `${mask} ${sha256(value)}` : hideSecrets(value)] as const]
  })
  return defaults.length === 0 ? undefined : Object.fromEntries(defaults)
}

/** A file of another client gives its folder as an absolute path, which is another one for each clone of a repository. */
function toRelative(base: string, folder: string): string | undefined {
  const path = relative(base, folder)
  return path === '' ? undefined : /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path) ? folder : path
}

/** The kind of server/mcp-client/bridge-url.ts. */
const bridgeKind = 'bridge-url'

function describeVariables(given: Readonly<Record<string, string>> = {}): UnknownObject | undefined {
  const variables = Object.entries(given)
  if (variables.length === 0) return undefined
  return Object.fromEntries(
    variables.map(([name, value]) => [name, isSecretVariable(name, value) ? mask : hideSecrets(value)]),
  )
}

function hideSecrets(text: string): string {
  const given = withSlashes(text)
  return hideUser(withHash(given, maskWord(given)))
}

const maskWord = (word: string) => maskWords([word]).visible[0] ?? ''

const hideUser = (text: string) => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/i, '$1')

/** A secret may go on as a command (`env -S 'KEY=x node a.mjs'`, `ssh`), or be a part of a host: then its hash counts too. */
function withHash(text: string, visible: string): string {
  const [first = '', ...parts] = visible.split(mask)
  let at = first.length
  const hidden = parts.map((part, index) => {
    const end = index === parts.length - 1 ? text.length - part.length : text.indexOf(part, at)
    const secret = text.slice(at, end)
    at = end + part.length
    return secret
  })
  const [, host = ''] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(visible) ?? []
  // `jwt-tools==1.2.3` is the version of a package.
  const code = URL.canParse(text) ? /[\s;|`<>]|\$\(/ : /^=|[\s;&|`<>]|\$\(|\w\(/
  const isHidden = host.includes(mask) || hidden.some(secret => code.test(secret))
  return isHidden ? `${visible} ${sha256(text)}` : visible
}

/** In an address, a backslash is a slash: what is before it is not the name of a user, but the host. */
const withSlashes = (text: string) => (/\b(?:https?|wss?):/i.test(text) ? text.replaceAll('\\', '/') : text)

/**
 * The text of a shell (`sh -c 'TOKEN=x exec node server.mjs'`) has more than the secret with which it begins, and the value
 * of a secret may be code there (`TOKEN=$(curl …)`). Code is not written either, but its hash.
 */
function hideInCommand(command: readonly string[]): readonly string[] {
  const words = command.map(withSlashes)
  const { visible } = maskWords(words)
  const textAt = command.findIndex(word => /^(?:-\w*c|\/c|-command)$/i.test(word)) + 1
  return visible.map((word, at) => {
    const text = command[at] ?? ''
    const isShellText = textAt > 0 && at >= textAt && /^\w+=/.test(text)
    return isShellText ? text.replace(shellWord, hideSecretOrCode) : withHash(words[at] ?? '', word)
  })
}

function hideSecretOrCode(word: string): string {
  const visible = maskWord(withSlashes(word))
  return visible !== word && /\$\(|[`<>]|\w\(/.test(word) ? `${visible} ${sha256(word)}` : hideUser(visible)
}

const shellWord = /(?:[^\s"';&|]|"[^"]*"|'[^']*')+/g

export const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex')

export const isSameAddress = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)
