/**
 * Reads other programs' lists of MCP servers and never writes them: `{"mcpServers": {…}}`, VS Code's `{"servers": {…}}`
 * (under `mcp` in its settings), Zed's `{"context_servers": {…}}`, Codex's `[mcp_servers.…]`, the projects of Claude
 * Code, fastmcp.json, and the server.json of the MCP registry.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import type { ClientInput } from '../../core/api/clients.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, jsonText, own, withoutUndefined } from '../../core/json/json.ts'
import { finish, type Slices } from '../../core/slices.ts'
import { fileStatus, findOnPath } from '../process/command-line.ts'
import { describedInputs, findInputs } from '../sources/inputs.ts'
import { readEntry, type ServerEntry } from '../sources/server-entry.ts'
import { userFiles } from './client-files.ts'
import { pickWay, type RegistryServer, readRegistryServer } from './registry-server.ts'

/** The schema that a server.json of the MCP registry states, under any name of the file. */
const registrySchema =
  /"\$schema"\s{0,9}:\s{0,9}"https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\w-]+\/server\./

/** The file of Claude Code also contains much other data. */
const maxFileBytes = 32 * 1024 * 1024

export interface McpJsonServer extends Omit<ServerEntry, 'settings'> {
  readonly name: string
  readonly settings?: ServerEntry['settings']
  /** Directory for its relative paths, absolute; by default the one in which Toolscope was started. */
  readonly directory?: string | undefined
  /** False if a bridge lists its tools without the server's name as a prefix. */
  readonly prefix: boolean
  /** The file that names it. Absolute. */
  readonly file?: string
  /** The project folder that the entry applies to, if the file covers several. */
  readonly project?: string
  /** The inputs that its file asks the user for. */
  readonly inputs?: readonly ClientInput[]
}

/** Returns an id that is unique in the server's file: `db`, `/home/me/shop/db`. */
export const serverId = ({ name, project }: Pick<McpJsonServer, 'name' | 'project'>) =>
  project === undefined ? name : `${project}/${name}`

/**
 * Returns the servers of a file; null if it is not a file of servers. Throws AppError `config-invalid` with the line if
 * the file's name or location marks it as one and it cannot be parsed.
 */
export function readMcpJson(path: string): readonly McpJsonServer[] | null {
  return finish(readMcpJsonInSteps(path))
}

/** Like `readMcpJson`, one server a step: a file may name thousands. */
export function* readMcpJsonInSteps(path: string): Slices<readonly McpJsonServer[] | null> {
  const status = fileStatus(path)
  if (!status?.isFile() || status.size > maxFileBytes || !/\.(?:json|toml)$/.test(path)) return null
  const source = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  if (/(?:^|[.\\/])fastmcp\.json$/.test(path)) return readFastMcp(path, source)
  if (basename(path) === 'server.json' || registrySchema.test(source)) {
    const registered = readRegistryServer(readJson(source).value)
    if (registered !== null) return [toRegisteredServer(registered, path)]
  }
  // A cheap test first, so that a manifest of several megabytes is not parsed in vain.
  const isToml = path.endsWith('.toml')
  if (!(isToml ? /\bmcp_servers\b/ : /"(?:mcpServers|servers|context_servers)"/).test(source)) return null
  const { value, mistake } = isToml ? readToml(source) : readJson(source)
  const isUsers = isUserFile(path)
  const isNamed = isUsers || isToml || /mcp[^/\\]*\.json$|[\\/]\.\w+[\\/]\w+\.json$/.test(path)
  if (mistake !== undefined && isNamed) throw invalid(path, mistake)
  if (!isObject(value)) return null
  const groups = isToml ? readGroup(value, 'mcp_servers') : groupsIn(value)
  // The value of a cut file was repaired by the parser, so nothing of it may start.
  if (mistake !== undefined && groups.length > 0) throw invalid(path, mistake)
  if (groups.length === 0) return null
  const switchedOff = new Set(namesIn(own(value, 'mcp'), 'excluded'))
  const directory = isUsers ? undefined : findWorkspace(path)
  const isGemini = /[\\/]\.gemini[\\/]/.test(path)
  const found: McpJsonServer[] = []
  for (const { servers, project, disabled, inputs } of groups) {
    const described = describedInputs(inputs)
    for (const name of Object.keys(servers)) {
      const written = own(servers, name)
      const entry = isGemini ? nameVariables(written) : written
      const server = toServer(name, entry, project ?? directory)
      found.push({
        ...server,
        file: path,
        ...withoutUndefined({ project }),
        inputs: findInputs(entry, described),
        disabled: server.disabled || disabled.has(name) || switchedOff.has(name),
      })
      yield
    }
  }
  return found
}

/** Returns the object that contains the servers; undefined if the value has no servers. */
export function serversIn(value: unknown): unknown {
  return isObject(value) ? groupsIn(value)[0]?.servers : undefined
}

/**
 * Parses JSON with comments and trailing commas. `mistake` is the first error with its line: `3: ValueExpected`, `3: the
 * JSON breaks off at column 12`. The value is then what the parser could repair.
 */
export function readJsonc(source: string): { readonly value: unknown; readonly mistake?: string } {
  const errors: ParseError[] = []
  let value: unknown
  try {
    const tree = parseTree(source, errors, { allowTrailingComma: true })
    // The objects have no prototype, so the key `__proto__` is an ordinary key.
    value = tree && getNodeValue(tree)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { value, mistake: '1: it is nested too deeply' }
  }
  const [first] = errors
  if (first === undefined) return { value }
  const before = source.slice(0, first.offset).split('\n')
  const isCut = source.slice(first.offset + first.length).trim() === ''
  const column = (before.at(-1) ?? '').length + 1
  const what = isCut ? `the JSON breaks off at column ${column}` : printParseErrorCode(first.error)
  return { value, mistake: `${before.length}: ${what}` }
}

/** Like readJsonc, but 15 times as fast for plain JSON: the file of Claude Code grows to many megabytes. */
function readJson(source: string): ReturnType<typeof readJsonc> {
  try {
    return { value: JSON.parse(source) }
  } catch {
    return readJsonc(source)
  }
}

function readToml(source: string): ReturnType<typeof readJsonc> {
  try {
    return { value: parseToml(source) }
  } catch (thrown) {
    const [what = ''] = toErrorMessage(thrown).replace('Invalid TOML document: ', '').split('\n')
    return { value: undefined, mistake: `${thrown instanceof TomlError ? thrown.line : 1}: ${what}` }
  }
}

const invalid = (path: string, mistake: string) =>
  new AppError('config-invalid', `${path}:${mistake}`, {
    hint: path.endsWith('.toml')
      ? 'Fix the file at that location.'
      : 'Fix the file at that location. Comments and trailing commas are allowed.',
  })

interface ServerGroup {
  readonly servers: Readonly<Record<string, unknown>>
  readonly project?: string
  readonly disabled: ReadonlySet<string>
  /** VS Code only. */
  readonly inputs?: unknown
}

function groupsIn(value: Readonly<Record<string, unknown>>): readonly ServerGroup[] {
  const projects = own(value, 'projects')
  const settings = own(value, 'mcp')
  return [
    ...['mcpServers', 'servers', 'context_servers'].flatMap(key => readGroup(value, key)),
    ...(isObject(settings) ? readGroup(settings, 'servers') : []),
    ...(isObject(projects)
      ? Object.keys(projects).flatMap(project =>
          readGroup(own(projects, project), 'mcpServers').map(group => ({ ...group, project })),
        )
      : []),
  ]
}

function readGroup(holder: unknown, key: string): readonly ServerGroup[] {
  if (!isObject(holder)) return []
  const servers = own(holder, key)
  if (!isObject(servers)) return []
  return [
    { servers, disabled: new Set(namesIn(holder, 'disabledMcpServers')), inputs: own(holder, 'inputs') },
  ]
}

function namesIn(holder: unknown, key: string): readonly string[] {
  const names = isObject(holder) ? own(holder, key) : undefined
  return Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
}

export function toServer(name: string, entry: unknown, directory: string | undefined): McpJsonServer {
  const prefix = !isObject(entry) || own(entry, 'prefix') !== false
  return { name, directory, prefix, ...readEntry(name, entry) }
}

/** Converts Gemini's `$NAME` to `${NAME}`. */
function nameVariables(entry: unknown): unknown {
  return JSON.parse(
    (jsonText(entry) ?? 'null').replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`),
  )
}

function toRegisteredServer(registered: RegistryServer, path: string): McpJsonServer {
  const { name } = registered.ways[0]
  const way = pickWay(registered)
  const config = way.mcp ?? {
    broken: `the server "${registered.name}" cannot be started: ${way.problem}`,
    hint: way.hint,
  }
  return { name, config, prefix: true, directory: dirname(resolve(path)), file: path, disabled: false }
}

/**
 * Returns a FastMCP server. FastMCP starts it from this file, which describes its code, Python version and variables.
 */
function readFastMcp(path: string, source: string): readonly McpJsonServer[] | null {
  const { value, mistake } = readJsonc(source)
  if (mistake !== undefined) throw invalid(path, mistake)
  if (!isObject(value) || own(value, 'source') === undefined) return null
  const directory = dirname(resolve(path))
  const name = basename(path).replace(/\.?fastmcp\.json$/, '') || basename(directory)
  const start = findOnPath('fastmcp', process.env) === null ? ['uvx', 'fastmcp'] : ['fastmcp']
  const command = [...start, 'run', resolve(path), '--transport', 'stdio']
  return [{ ...toServer(name, { command: command[0], args: command.slice(1) }, directory), file: path }]
}

function isUserFile(path: string): boolean {
  const machine = { platform: process.platform, home: homedir(), environment: process.env }
  return userFiles(machine).some(file => file.path === resolve(path))
}

/** `.vscode/mcp.json` and `.cursor/mcp.json` apply to their parent folder. */
function findWorkspace(path: string): string {
  const folder = dirname(resolve(path))
  return basename(folder).startsWith('.') ? dirname(folder) : folder
}
