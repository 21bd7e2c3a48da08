/**
 * The secrets of an entry: masked in the API's answers, and restored from the kept entry if they are sent back masked.
 */
import parseArgv from 'string-argv'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { mask, maskValues, maskWords } from '../../core/tool/mask.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { formatCommand, quoteWords } from '../process/command-line.ts'

/** Masks every literal value of the entry's environment and headers, and the secrets in its command or address. */
export function maskEntry(entry: SourceEntry): SourceEntry {
  const { line, url, command, bridge, mcp } = entry
  const environment = entry.environment && maskValues(entry.environment)
  const headers = entry.headers && maskValues(entry.headers)
  const masked = {
    line: line && maskLine(line),
    url: url && maskAddress(url),
    command: command && [...maskWords(command).visible],
    bridge: bridge && maskAddress(bridge),
    mcp: mcp && maskServer(mcp),
  }
  return { ...entry, ...withoutUndefined({ ...masked, environment, headers }) }
}

/**
 * Returns the entry with the secrets of `stored` in place of their masks. A secret of the environment or of a header is
 * only for the same command in the same folder, or for the same origin. Throws AppError `request-invalid` if a mask
 * matches no kept secret: the user then has to enter the secret again.
 */
export function unmaskEntry(entry: SourceEntry, stored: SourceEntry): SourceEntry {
  const maskedStored = maskEntry(stored)
  const { environment, headers, line, url, command, bridge, mcp } = entry
  const same = <Part>(part: Part, masked: Part | undefined, original: Part | undefined): Part =>
    original !== undefined && JSON.stringify(part) === JSON.stringify(masked) ? original : part
  const opened = {
    line: line && same(line, maskedStored.line, stored.line),
    url: url && same(url, maskedStored.url, stored.url),
    command: command && same(command, maskedStored.command, stored.command),
    bridge: bridge && same(bridge, maskedStored.bridge, stored.bridge),
    mcp: mcp && unmaskServer(mcp, stored.mcp),
  }
  const named = { ...entry, ...withoutUndefined(opened) }
  const isSameReceiver = findReceiver(named) === findReceiver(stored)
  const values = isSameReceiver && {
    environment: environment && unmaskValues(environment, stored.environment),
    headers: headers && unmaskValues(headers, stored.headers),
    mcp: named.mcp && unmaskServerValues(named.mcp, stored.mcp),
  }
  const whole = { ...named, ...(values && withoutUndefined(values)) }
  const { text: _, ...spoken } = whole
  if (!JSON.stringify(spoken).includes(mask)) return whole
  const which = isSameReceiver ? 'that is not known here' : 'of another command or address'
  throw new AppError('request-invalid', `${mask} replaces a secret ${which}`, {
    hint: `Write the secret again where the mask is, or name a variable: \${env:NAME}.`,
  })
}

/** Returns what receives the secrets of an entry: the origin of its address, or its command and folder. */
function findReceiver({
  line,
  url,
  command,
  bridge,
  mcp,
  manifest,
  functions,
  recording,
  directory,
}: SourceEntry): string {
  const typed = line === undefined ? command : parseArgv(line)
  const words =
    url !== undefined ? [url] : bridge !== undefined ? [bridge] : mcp === undefined ? typed : listWords(mcp)
  const [first = '', ...rest] = words ?? []
  const plain = first.replace(/^(?:mcp|bridge):/, '')
  const isAddress = rest.length === 0 && /^https?:/i.test(plain) && URL.canParse(plain)
  return isAddress
    ? new URL(plain).origin
    : JSON.stringify([plain, ...rest, { manifest, functions, recording, directory }])
}

const listWords = (mcp: McpEntry) => ('url' in mcp ? [mcp.url] : mcp.command)

type McpEntry = NonNullable<SourceEntry['mcp']>

function maskServer(mcp: McpEntry): McpEntry {
  if ('url' in mcp)
    return {
      ...mcp,
      url: maskAddress(mcp.url),
      ...withoutUndefined({ headers: mcp.headers && maskValues(mcp.headers) }),
    }
  return {
    command: [...maskWords(mcp.command).visible],
    ...withoutUndefined({ env: mcp.env && maskValues(mcp.env) }),
  }
}

function unmaskServer(mcp: McpEntry, stored: McpEntry | undefined): McpEntry {
  if (
    stored === undefined ||
    JSON.stringify(listWords(mcp)) !== JSON.stringify(listWords(maskServer(stored)))
  )
    return mcp
  if ('url' in mcp) return 'url' in stored ? { ...mcp, url: stored.url } : mcp
  return 'command' in stored ? { ...mcp, command: stored.command } : mcp
}

function unmaskServerValues(mcp: McpEntry, stored: McpEntry | undefined): McpEntry {
  if ('url' in mcp) {
    const headers = unmaskValues(mcp.headers, stored && 'url' in stored ? stored.headers : undefined)
    return { ...mcp, ...withoutUndefined({ headers }) }
  }
  const env = unmaskValues(mcp.env, stored && 'command' in stored ? stored.env : undefined)
  return { ...mcp, ...withoutUndefined({ env }) }
}

function maskLine(line: string): string {
  const words = parseArgv(line)
  const { secrets, visible: masked } = maskWords(words)
  if (secrets.length > 0) return words.length === 1 ? formatCommand(words) : quoteWords(masked)
  return maskAddress(line)
}

const maskAddress = (address: string) => (URL.canParse(address) ? hideAddressSecrets(address) : address)

function unmaskValues(
  values: Readonly<Record<string, string>> | undefined,
  stored: Readonly<Record<string, string>> = {},
) {
  return (
    values &&
    mapValues(values, (value, name) =>
      value === mask && Object.hasOwn(stored, name) ? (stored[name] ?? value) : value,
    )
  )
}

const mapValues = (
  values: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
