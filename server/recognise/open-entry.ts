/** Converts the user's entry for a source (core/api/source-entry.ts) into a source that can be opened. */
import { resolve } from 'node:path'
import { pickCallSettings } from '../../core/api/call-settings.ts'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { formatCommand, withAbsolutePaths } from '../process/command-line.ts'
import type { McpServerConfig } from '../sources/mcp-server-config.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import { recogniseAddress } from './address.ts'
import { addArgumentOptions, configuredSource, detectSource, formatMaskedArgument } from './detect-source.ts'
import { createTextSource } from './manifest-file.ts'
import { readTypedLine, type TypedLine } from './typed-line.ts'

/**
 * Determines what an entry names. It starts nothing and reads at most the beginning of a file.
 * Throws AppError `source-not-found` or `source-unrecognised` with the places that were searched.
 *
 * @param name the user's choice; a name is proposed if it is absent
 * @param formerNames of the source, the newest last
 */
export async function entrySource(
  entry: SourceEntry,
  name: string | undefined,
  context: SourceContext,
  formerNames: readonly string[] = [],
): Promise<SourceSpec> {
  const { name: proposed, ...read } = readLine(entry, context.directory)
  const spec = await toSpec(read, name ?? proposed, context)
  return { ...spec, origin: { from: 'page', entry: nameAddress(read, spec), formerNames } }
}

/** Returns the entry of a typed address with the address as its `url`, so that it has the fields of an address. */
function nameAddress(entry: SourceEntry, { url }: SourceSpec): SourceEntry {
  if (entry.line === undefined || url === undefined) return entry
  const { line, directory: _directory, environment: _environment, ...rest } = entry
  return { ...rest, url: line }
}

/** Moves the variables and headers of a typed line into the fields of the entry. */
function readLine(entry: SourceEntry, directory: string): SourceEntry & Pick<TypedLine, 'name'> {
  if (entry.line === undefined) return entry
  const { words: _, line, name, ...typed } = readTypedLine(entry.line.trim(), directory)
  const environment = typed.environment && { ...typed.environment, ...entry.environment }
  const headers = typed.headers && { ...typed.headers, ...entry.headers }
  return { ...entry, line, ...withoutUndefined({ environment, headers, name }) }
}

async function toSpec(
  entry: SourceEntry,
  name: string | undefined,
  context: SourceContext,
): Promise<SourceSpec> {
  const { line, url, headers, text, directory, flags, subprograms } = entry
  const { listTimeoutMs, background, environment, inherit, hiddenCatalog } = entry
  const more = {
    ...pickCallSettings(entry),
    ...withoutUndefined({ listTimeoutMs, background, environment, inherit, hiddenCatalog }),
  }
  const settings = withoutUndefined({ ...more, name })
  if (text !== undefined) {
    const spec = createTextSource(name ?? 'manifest', text)
    return { ...spec, settings: { ...spec.settings, ...settings } }
  }
  if (line !== undefined) return detectSource(line, context, { settings, directory, headers })
  if (url !== undefined) return addressSource(url.trim(), context, { settings, headers })
  const proposed = { ...more, name: name ?? 'source' }
  const spec = configuredSource(entry, proposed, withoutUndefined({ flags, subprograms, directory }))
  const { mcp } = entry
  if (mcp === undefined) return spec
  const startsIn = directory === undefined ? undefined : resolve(context.directory, directory)
  const options = { headers: 'url' in mcp ? mcp.headers : undefined, directory: startsIn }
  const argument = serverArgument({ ...entry, mcp }, [startsIn ?? context.directory, context.directory])
  return { ...addArgumentOptions(spec, options), ...withoutUndefined({ argument }) }
}

/**
 * Returns the argument of an MCP server; undefined if its sign-in is configured, which an argument cannot express.
 *
 * @param bases the folders in which its paths are searched, the first one first
 */
function serverArgument(
  { mcp, environment }: SourceEntry & { readonly mcp: McpServerConfig },
  bases: readonly string[],
): string | undefined {
  if ('url' in mcp)
    return mcp.signIn === undefined ? formatCommand([`mcp:${hideAddressSecrets(mcp.url)}`]) : undefined
  const [program, ...rest] = bases.reduce<readonly string[]>(
    (words, base) => withAbsolutePaths(words, base),
    mcp.command,
  )
  return formatMaskedArgument([`mcp:${program}`, ...rest], { environment: { ...environment, ...mcp.env } })
}

/** Rejects a text that is not a URL, so that it is not searched as a program. */
async function addressSource(
  url: string,
  context: SourceContext,
  given: Parameters<typeof detectSource>[2],
): Promise<SourceSpec> {
  if (recogniseAddress(url.replace(/^(?:mcp|bridge):/, ''), context) === undefined)
    throw new AppError('not-an-address', hideAddressSecrets(url))
  return detectSource([url], context, given)
}
