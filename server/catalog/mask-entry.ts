/**
 * The secrets of an entry: masked in the API's answers, and restored from the kept entry if they are sent back masked.
 */
import parseArgv from 'string-argv'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { mask } from '../../core/tool/mask.ts'
import { maskValues, maskWords } from '../../core/tool/mask-words.ts'
import { shown } from '../fetch/fetch-address.ts'
import { quoteWords, shownCommand } from '../process/command-line.ts'

type Values = Readonly<Record<string, string>>

/** Masks every literal value of the entry's environment and headers, and the secrets in its command or address. */
export function maskEntry(entry: SourceEntry): SourceEntry {
  const { line, url, command, bridge, mcp } = entry
  const environment = entry.environment && maskValues(entry.environment)
  const headers = entry.headers && maskValues(entry.headers)
  const masked = {
    line: line && maskLine(line),
    url: url && maskAddress(url),
    command: command && [...maskWords(command).shown],
    bridge: bridge && maskAddress(bridge),
    mcp: mcp && maskServer(mcp),
  }
  return { ...entry, ...withoutUndefined({ ...masked, environment, headers }) }
}

/**
 * Returns the entry with the secrets of `kept` in place of their masks. Throws AppError `request-invalid` if a mask
 * matches no kept secret: the user then has to enter the secret again.
 */
export function unmaskEntry(entry: SourceEntry, kept: SourceEntry): SourceEntry {
  const shownKept = maskEntry(kept)
  const { environment, headers, line, url, command, bridge, mcp } = entry
  const same = <Part>(part: Part, masked: Part | undefined, original: Part | undefined): Part =>
    original !== undefined && JSON.stringify(part) === JSON.stringify(masked) ? original : part
  const complete = {
    line: line && same(line, shownKept.line, kept.line),
    url: url && same(url, shownKept.url, kept.url),
    command: command && same(command, shownKept.command, kept.command),
    bridge: bridge && same(bridge, shownKept.bridge, kept.bridge),
    mcp: mcp && unmaskServer(mcp, kept.mcp),
    environment: environment && unmaskValues(environment, kept.environment),
    headers: headers && unmaskValues(headers, kept.headers),
  }
  const whole = { ...entry, ...withoutUndefined(complete) }
  const { text: _, ...spoken } = whole
  if (JSON.stringify(spoken).includes(mask))
    throw new AppError('request-invalid', `${mask} stands in for a secret that is not known here`, {
      hint: `Write the secret again where the mask is, or name a variable: \${env:NAME}.`,
    })
  return whole
}

type Server = NonNullable<SourceEntry['mcp']>

function maskServer(mcp: Server): Server {
  if ('url' in mcp)
    return {
      ...mcp,
      url: maskAddress(mcp.url),
      ...withoutUndefined({ headers: mcp.headers && maskValues(mcp.headers) }),
    }
  return {
    command: [...maskWords(mcp.command).shown],
    ...withoutUndefined({ env: mcp.env && maskValues(mcp.env) }),
  }
}

function unmaskServer(mcp: Server, kept: Server | undefined): Server {
  if (kept === undefined) return mcp
  const masked = maskServer(kept)
  if ('url' in mcp && 'url' in kept && 'url' in masked) {
    const headers = unmaskValues(mcp.headers, kept.headers)
    return { ...mcp, url: mcp.url === masked.url ? kept.url : mcp.url, ...withoutUndefined({ headers }) }
  }
  if (!('command' in mcp && 'command' in kept && 'command' in masked)) return mcp
  const isSame = JSON.stringify(mcp.command) === JSON.stringify(masked.command)
  const env = unmaskValues(mcp.env, kept.env)
  return { ...mcp, command: isSame ? kept.command : mcp.command, ...withoutUndefined({ env }) }
}

function maskLine(line: string): string {
  const words = parseArgv(line)
  const { secrets, shown: masked } = maskWords(words)
  if (secrets.length > 0) return words.length === 1 ? shownCommand(words) : quoteWords(masked)
  return maskAddress(line)
}

const maskAddress = (address: string) => (URL.canParse(address) ? shown(address) : address)

function unmaskValues(values: Values | undefined, kept: Values = {}) {
  return (
    values &&
    mapValues(values, (value, name) =>
      value === mask && Object.hasOwn(kept, name) ? (kept[name] ?? value) : value,
    )
  )
}

const mapValues = (values: Values, change: (value: string, name: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
