/** Reads one server entry with the keys of all known clients: a key has the same meaning in each of them. */
import { homedir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { z } from 'zod'
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import { maxLimitMs, minLimitMs } from '../../core/text/duration.ts'
import type { McpServerConfig } from './mcp-server-config.ts'
import type { SourceSettings } from './source.ts'

const texts = z.record(z.string(), z.string())
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Unknown keys belong to other programs and are ignored. */
const programShape = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: variables.nullish(),
  cwd: z.string().nullish(),
  envFile: z.string().nullish(),
  // Codex: names of variables that the server inherits.
  env_vars: z.array(z.union([z.string(), z.object({ name: z.string() })])).nullish(),
})

const addressShape = z.object({
  url: z.string().min(1),
  type: z.string().nullish(),
  headers: texts.nullish(),
  // Codex: literal headers, headers from variables, and a token from a variable.
  http_headers: texts.nullish(),
  env_http_headers: texts.nullish(),
  bearer_token_env_var: z.string().nullish(),
})

export interface ServerEntry {
  /** How to reach the server, or the error in its entry, with the next step if it is not to fix the entry. */
  readonly config: McpServerConfig | { readonly broken: string; readonly hint?: string }
  readonly settings: Omit<SourceSettings, 'name'>
  /** Disabled by its file: listed, but not started with the others. */
  readonly disabled: boolean
}

/** Reads an entry. Never throws: an unreadable entry is `broken`. */
export function readEntry(name: string, entry: unknown): ServerEntry {
  const fields = isObject(entry) ? flattened(entry) : {}
  const seconds = own(fields, 'tool_timeout_sec')
  // Toolscope's own limits have a range, in which every setting of the source stays changeable.
  const timeoutMs =
    typeof seconds === 'number' && seconds > 0
      ? Math.min(Math.max(Math.round(seconds * 1000), minLimitMs), maxLimitMs)
      : undefined
  return {
    disabled: own(fields, 'disabled') === true || own(fields, 'enabled') === false,
    ...readEntryConfig(name, fields, withoutUndefined({ timeoutMs })),
  }
}

/** Windsurf's `serverUrl` and Gemini's `httpUrl` become `url`; older versions of Zed nest the command. */
function flattened(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const url = own(entry, 'httpUrl') ?? own(entry, 'serverUrl') ?? own(entry, 'url')
  const type = own(entry, 'type') ?? own(entry, 'transport')
  const command = own(entry, 'command')
  if (!isObject(command)) return { ...entry, url, type }
  return { ...entry, ...command, command: own(command, 'path') }
}

function readEntryConfig(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  settings: ServerEntry['settings'],
): Pick<ServerEntry, 'config' | 'settings'> {
  const broken = (why: string) => ({ config: { broken: `the entry "${name}" ${why}` }, settings })
  const program = programShape.safeParse(fields)
  if (program.success) {
    const { command, args, env, cwd, envFile, env_vars } = program.data
    const set = Object.entries(env ?? {}).flatMap(([key, value]) =>
      value === null ? [] : [[key, String(value)] as const],
    )
    const inherit = env_vars?.map(each => (typeof each === 'string' ? each : each.name))
    return {
      config: withoutUndefined({
        command: [command, ...(args ?? [])],
        env: Object.fromEntries(set),
        directory: cwd ?? undefined,
        envFile: envFile ?? undefined,
      }),
      settings: { ...settings, ...withoutUndefined({ inherit }) },
    }
  }
  const address = addressShape.safeParse(fields)
  if (!address.success) {
    if (own(fields, 'source') === 'extension' || isObject(own(fields, 'settings')))
      return broken('is installed by an extension of its client; only the client knows how it starts')
    return broken('has neither a "command" with "args" nor a "url" that can be read')
  }
  const { url, type } = address.data
  if (!/^https?:|^\$/i.test(url))
    return broken(`has the address ${url.slice(0, 100)}, which is not http or https`)
  const headers = collectHeaders(address.data)
  const isOld = type === 'sse'
  return {
    config: { url, ...withoutUndefined({ headers }), ...(isOld ? { oldStream: true } : {}) },
    settings,
  }
}

function collectHeaders(entry: z.infer<typeof addressShape>): Record<string, string> | undefined {
  const { headers, http_headers, env_http_headers, bearer_token_env_var } = entry
  const fromVariables = Object.entries(env_http_headers ?? {}).map(([name, text]) => [
    name,
    `\${env:${text}}`,
  ])
  const token = bearer_token_env_var ? { Authorization: `Bearer \${env:${bearer_token_env_var}}` } : {}
  const all = { ...headers, ...http_headers, ...Object.fromEntries(fromVariables), ...token }
  return Object.keys(all).length === 0 ? undefined : all
}

/**
 * Returns the value of a variable that names a place: `workspaceFolder`, `userHome` …; undefined for another one.
 *
 * @param directory the folder of the entry's file. Absolute.
 */
export function findLocation(name: string, directory: string): string | undefined {
  switch (name) {
    case 'workspaceFolder':
      return directory
    case 'workspaceFolderBasename':
      return basename(directory)
    case 'userHome':
      return homedir()
    case 'pathSeparator':
    case '/':
      return sep
    default:
      return undefined
  }
}

/** Returns a path of an entry with `~` replaced by the home directory. */
export function withHome(path: string, home: string): string {
  return /^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path
}
