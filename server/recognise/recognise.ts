/**
 * Recognises a dropped, picked or pasted text as a source: a manifest, or server entries in one of the usual shapes.
 */
import { z } from 'zod'
import { configEntry, type SourceEntry } from '../../core/api/source-entry.ts'
import type { FoundSource, Recognised } from '../../core/api/sources.ts'
import { AppError } from '../../core/errors.ts'
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import { counted } from '../../core/text/wording.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { baseName, formatCommand, quoteWords } from '../process/command-line.ts'
import { describedInputs, findInputs } from '../sources/inputs.ts'
import { type McpJsonServer, readJsonc, serverId, serversIn, toServer } from './mcp-json.ts'
import { readRegistryServer } from './registry-server.ts'

/**
 * Recognises a text without starting or storing anything. Throws AppError `manifest-not-json` or
 * `manifest-unrecognised` with the reason.
 *
 * @param name of the file; empty for a pasted text
 * @param directory for relative paths of the entries, absolute; by default the one in which Toolscope was started
 */
export function recogniseText(name: string, written: string, directory?: string): Recognised {
  const text = withBraces(written.replace(/^\ufeff/, ''))
  const { value, mistake } = readJsonc(text)
  const proposed = name === '' ? 'pasted' : baseName(name)
  return (
    (isObject(value) && recogniseEntries(value, proposed, directory, mistake)) ||
    recogniseManifest(text, proposed, name === '' ? 'The text' : name)
  )
}

/** Adds braces to a fragment of an mcp.json: `"memory": {…}`. */
const withBraces = (text: string) => (/^\s*"[^"\n]*"\s*:/.test(text) ? `{${text}}` : text)

const workspaceFolder = `\${workspaceFolder}`

/** Returns an entry for a server that another program's file names; `problem` if the entry cannot be used. */
export function foundServer(server: McpJsonServer, directory?: string): FoundSource {
  const { name, config } = server
  if ('broken' in config) return { name, about: '', problem: config.broken }
  const { file, inputs = [], settings = {} } = server
  const isMore = inputs.length > 0 || 'envFile' in config || 'oldStream' in config
  // Some files contain settings that an entry cannot express; such a file is read again at each start.
  if (file !== undefined && (isMore || Object.keys(settings).length > 0))
    return {
      name,
      about: 'url' in config ? hideAddressSecrets(config.url) : formatCommand(config.command),
      entry: { line: quoteWords([`${file}#${serverId(server)}`]) },
    }
  const replaceWorkspaceFolder = (text: string) =>
    directory === undefined ? text : text.replaceAll(workspaceFolder, directory)
  if ('url' in config) {
    const { url, headers } = config
    const entry = { mcp: { url, ...withoutUndefined({ headers }) } }
    return { name, about: hideAddressSecrets(url), entry }
  }
  const command = config.command.map(replaceWorkspaceFolder)
  const entry: SourceEntry = {
    mcp: { command, ...withoutUndefined({ env: config.env && { ...config.env } }) },
    ...withoutUndefined({ directory: config.directory ?? directory }),
  }
  return { name, about: formatCommand(command), entry }
}

/** Like foundServer. `${input:…}` is a problem in a text, because only a file can ask for its inputs. */
function pastedServer(name: string, entry: unknown, directory: string | undefined): FoundSource {
  const [input] = findInputs(entry, describedInputs([]))
  if (input === undefined) return foundServer(toServer(name, entry, directory ?? ''), directory)
  const problem = `Write the value of \${input:${input.id}} in its place, or add the file by its path: then you are asked for it.`
  return { name, about: '', problem }
}

function recogniseEntries(
  value: Readonly<Record<string, unknown>>,
  name: string,
  directory: string | undefined,
  /** Set if the text is not valid JSON. */
  mistake: string | undefined,
): Recognised | null {
  const readServers = (from: Readonly<Record<string, unknown>>) =>
    Object.keys(from).map(each => pastedServer(each, own(from, each), directory))
  const servers = serversIn(value)
  if (mistake !== undefined) {
    // The value of a cut text was repaired by the parser, so nothing of it may start.
    if (!isObject(servers) && !isServerEntry(value)) return null
    throw unusable(
      isObject(servers) ? 'an mcp.json' : 'the entry of one server',
      `It is not valid JSON in line ${mistake}.`,
    )
  }
  if (isObject(servers)) {
    const sources = readServers(servers)
    if (sources.length === 0) throw unusable('an mcp.json', 'It contains no server.')
    return { about: `An mcp.json with ${counted(sources.length, 'server')}`, choose: 'several', sources }
  }
  const registered = readRegistryServer(value)
  if (registered !== null) {
    const about = `The server "${registered.name}" as the MCP registry describes it`
    return { about, choose: 'one', sources: registered.ways }
  }
  if (isServerEntry(value)) {
    const found = pastedServer(name, value, directory)
    if (found.problem !== undefined) throw unusable('the entry of one server', found.problem)
    return { about: 'The entry of one MCP server', choose: 'several', sources: [found] }
  }
  if (isObject(value.sources)) return recogniseConfig(value.sources)
  const entries = Object.values(value)
  if (entries.length > 0 && entries.every(each => isObject(each) && isServerEntry(each))) {
    const sources = readServers(value)
    return { about: `The entries of ${counted(sources.length, 'MCP server')}`, choose: 'several', sources }
  }
  return null
}

/** `{"command": "npx", "args": […]}`, `{"url": "https://…"}`: the form in READMEs. */
const isServerEntry = (value: Readonly<Record<string, unknown>>) =>
  (typeof value.command === 'string' || typeof value.url === 'string') && !Array.isArray(value.tools)

function recogniseConfig(entries: Readonly<Record<string, unknown>>): Recognised {
  const sources = Object.entries(entries).map(([name, entry]): FoundSource => {
    const parsed = configEntry.safeParse(entry)
    return parsed.success
      ? { name, about: 'an entry of toolscope.json', entry: parsed.data }
      : { name, about: '', problem: z.prettifyError(parsed.error) }
  })
  if (sources.length === 0) throw unusable('a toolscope.json', 'It names no source.')
  return { about: `A toolscope.json with ${counted(sources.length, 'source')}`, choose: 'several', sources }
}

function recogniseManifest(text: string, name: string, label: string): Recognised {
  const { tools, format } = parseManifestText(text, label)
  const about = `A manifest of ${counted(tools.length, 'tool')} (${format})`
  const source = { name, about: 'Its tools can be looked at, not called.', entry: { text } }
  return { about, choose: 'several', sources: [source] }
}

const unusable = (what: string, why: string) =>
  new AppError('manifest-unrecognised', `This is ${what}. ${why}`, { hint: 'Nothing was added.' })
