/** Other programs' lists of MCP servers: `{"mcpServers": {…}}`, or VS Code's `{"servers": {…}}`. Read, never written. */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import { fileStatus } from '../process/command-line.ts'
import type { McpServerConfig } from './mcp-server/config.ts'

const MAX_BYTES = 4 * 1024 * 1024

const text = z.record(z.string(), z.string())
/** Unknown keys are other programs' business. */
const entryShape = z.union([
  z.object({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    cwd: z.string().optional(),
  }),
  z.object({ url: z.string().min(1), headers: text.optional(), type: z.string().optional() }),
])

export interface McpJsonServer {
  readonly name: string
  /** How to reach it, or what is wrong with its entry. */
  readonly config: McpServerConfig | { readonly broken: string }
  /** Directory that its relative paths start from. Absolute. */
  readonly directory: string
  /** False where a bridge shows its tools without the server's name before theirs. */
  readonly prefix: boolean
  /** Switched off by its own file: listed, not started with the others. */
  readonly disabled: boolean
}

/**
 * The servers a file names; null when it is no such file. Throws AppError `config-invalid` where the file looks like
 * one (by its name) and cannot be read as JSON.
 */
export function readMcpJson(path: string): readonly McpJsonServer[] | null {
  const status = fileStatus(path)
  if (!status?.isFile() || status.size > MAX_BYTES || !path.endsWith('.json')) return null
  const source = readFileSync(path, 'utf8')
  // Cheap before exact: a manifest of megabytes is not parsed here to find out that it is none.
  if (!/"(?:mcpServers|servers)"/.test(source)) return null
  const { value, mistake } = readJsonc(source)
  const servers = isObject(value) ? (own(value, 'mcpServers') ?? own(value, 'servers')) : undefined
  if (mistake !== undefined && /mcp[^/]*\.json$/.test(path))
    throw new AppError('config-invalid', `${path}:${mistake}`, {
      hint: 'Mend the file at the place named above. Comments and trailing commas are allowed.',
    })
  if (!isObject(servers)) return null
  const directory = workspaceOf(path)
  return Object.keys(servers).map(name => toServer(name, own(servers, name), directory))
}

/** JSON that may hold comments and trailing commas. `mistake` is the first one, after its line: `3: ValueExpected`. */
export function readJsonc(source: string): { readonly value: unknown; readonly mistake?: string } {
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, { allowTrailingComma: true })
  // Objects without a prototype, so that a key `__proto__` is a key like any other.
  const value: unknown = tree && getNodeValue(tree)
  const [first] = errors
  if (first === undefined) return { value }
  const line = source.slice(0, first.offset).split('\n').length
  return { value, mistake: `${line}: ${printParseErrorCode(first.error)}` }
}

function toServer(name: string, entry: unknown, directory: string): McpJsonServer {
  const parsed = entryShape.safeParse(entry)
  const fields = isObject(entry) ? entry : {}
  return {
    name,
    directory,
    prefix: own(fields, 'prefix') !== false,
    disabled: own(fields, 'disabled') === true,
    config: parsed.success
      ? toConfig(parsed.data)
      : { broken: `the entry "${name}" has neither a "command" with "args" nor a "url" that can be read` },
  }
}

function toConfig(entry: z.infer<typeof entryShape>): McpServerConfig {
  if ('url' in entry) {
    const { url, headers, type } = entry
    return { url, headers, ...(type === 'sse' ? { oldStream: true } : {}) }
  }
  const env = Object.entries(entry.env ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [[key, String(value)] as const],
  )
  const command = [entry.command, ...(entry.args ?? [])]
  return withoutUndefined({ command, env: Object.fromEntries(env), directory: entry.cwd })
}

/** `.vscode/mcp.json` and `.cursor/mcp.json` speak of the folder above them. */
function workspaceOf(path: string): string {
  const folder = dirname(resolve(path))
  return basename(folder).startsWith('.') ? dirname(folder) : folder
}
