/**
 * Reads a server as the MCP registry describes it (`server.json`): packages to start, and URLs. Source:
 * github.com/modelcontextprotocol/registry, docs/reference/server-json; the underscored names of 2025-07 are accepted
 * too.
 */
import { z } from 'zod'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { FoundSource } from '../../core/api/sources.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { formatCommand } from '../process/command-line.ts'
import type { McpServerConfig } from '../sources/mcp-server-config.ts'

const input = z.object({
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  valueHint: z.string().optional(),
  isRequired: z.boolean().optional(),
})
type Input = z.infer<typeof input>
const inputs = z.array(input).optional()

const packageShape = z.preprocess(
  withCamelCase,
  z.object({
    registryType: z.string().optional(),
    registryName: z.string().optional(),
    identifier: z.string().optional(),
    name: z.string().optional(),
    version: z.string().optional(),
    runtimeHint: z.string().optional(),
    runtimeArguments: inputs,
    packageArguments: inputs,
    environmentVariables: inputs,
    transport: z
      .object({ type: z.string().optional(), url: z.string().optional(), headers: inputs })
      .optional(),
  }),
)
type Package = z.infer<typeof packageShape>

const serverShape = z.object({
  name: z.string(),
  packages: z.array(packageShape).optional(),
  remotes: z.array(z.object({ url: z.string(), type: z.string().optional(), headers: inputs })).optional(),
})

export interface RegistryServer {
  /** The full name: `io.github.ada/files`. */
  readonly name: string
  /** Each way to reach the server, the default first. */
  readonly ways: readonly [FoundSource, ...FoundSource[]]
}

/** Returns null if the value is not such a description. */
export function readRegistryServer(value: unknown): RegistryServer | null {
  const parsed = serverShape.safeParse(value)
  if (!parsed.success) return null
  const { name, packages = [], remotes = [] } = parsed.data
  const short = (name.split('/').at(-1) ?? name).replace(/[/,~\s]+/g, '-') || 'server'
  const ways: FoundSource[] = [
    ...packages.map(each => ({ name: short, ...toPackageSource(each) })),
    ...remotes.map(({ url, headers }) => ({
      name: short,
      about: hideAddressSecrets(url),
      entry: { mcp: { url, ...withoutUndefined({ headers: fillValues(headers) }) } },
    })),
  ]
  const [first, ...others] = ways
  return first === undefined ? null : { name, ways: [first, ...others] }
}

/** How a file of the server opens; otherwise the reason why it does not, and the next step of the user. */
type PickedWay =
  | { readonly mcp: McpServerConfig }
  | { readonly mcp?: undefined; readonly problem: string; readonly hint: string }

/** Picks the first way that can be used without a value from the user. */
export function pickWay({ ways }: RegistryServer): PickedWay {
  const open = ways.flatMap(({ entry, about }) =>
    entry?.mcp === undefined ? [] : [{ mcp: entry.mcp, about }],
  )
  const usable = open.find(({ mcp }) => findPlaceholder(mcp) === undefined)
  if (usable !== undefined) return usable
  const [first] = open
  if (first === undefined)
    return {
      problem: ways.flatMap(({ problem }) => problem ?? []).join('; '),
      hint: 'Start it as its documentation says, then name its command or its address.',
    }
  return {
    problem: `it needs a value for ${findPlaceholder(first.mcp)}`,
    hint: `Name the command with the value in that place: ${first.about}`,
  }
}

const findPlaceholder = (mcp: McpServerConfig) =>
  'command' in mcp ? mcp.command.find(word => /^<[^<>]+>$/.test(word)) : undefined

/** Returns the command of a package, by the registry that it comes from. */
function toPackageSource(given: Package): Omit<FoundSource, 'name'> {
  const { version, transport, runtimeHint } = given
  const type = given.registryType ?? given.registryName ?? ''
  const id = given.identifier ?? given.name ?? ''
  const about = `${type} ${id}`
  if (transport?.type !== undefined && transport.type !== 'stdio')
    return {
      about,
      problem: `it speaks ${transport.type}: start it by hand, then add its address ${transport.url ?? ''}`,
    }
  const env = fillValues(given.environmentVariables)
  const start = packageStart(type, id, version, runtimeHint, Object.keys(env ?? {}))
  if (start === null || id === '') return { about, problem: `packages of "${type}" cannot be started here` }
  const [program, options, named] = start
  const runtime = toArgumentWords(given.runtimeArguments)
  const command = [
    program,
    ...(runtime.length > 0 ? runtime : options),
    named,
    ...toArgumentWords(given.packageArguments),
  ]
  const entry: SourceEntry = { mcp: { command, ...withoutUndefined({ env }) } }
  return { about: formatCommand(command), entry }
}

function packageStart(
  type: string,
  id: string,
  version: string | undefined,
  hint: string | undefined,
  variables: readonly string[],
): readonly [string, readonly string[], string] | null {
  const at = (mark: string) => (version === undefined || version === '' ? id : `${id}${mark}${version}`)
  switch (type) {
    case 'npm':
      return [hint ?? 'npx', (hint ?? 'npx') === 'npx' ? ['-y'] : [], at('@')]
    case 'pypi':
      return [hint ?? 'uvx', [], at('==')]
    case 'oci':
    case 'docker':
      return [
        hint ?? 'docker',
        ['run', '-i', '--rm', ...variables.flatMap(name => ['-e', name])],
        /:[\w.-]+$|@sha256:/.test(id) ? id : at(':'),
      ]
    case 'nuget':
      return [hint ?? 'dnx', [], at('@')]
    default:
      return null
  }
}

/**
 * `{type: "named", name: "--port", value: "1"}` becomes two words; a required value that is missing becomes a
 * placeholder.
 */
function toArgumentWords(given: readonly Input[] = []): string[] {
  return given.flatMap(each => {
    const value = each.value ?? each.default
    const isNamed = each.type === 'named' && each.name !== undefined
    if (isNamed) return value === undefined ? [each.name ?? ''] : [each.name ?? '', value]
    if (value !== undefined) return [value]
    return each.isRequired === true ? [`<${each.valueHint ?? each.name ?? 'value'}>`] : []
  })
}

/** A missing value is read from the environment variable of the same name. */
function fillValues(given: readonly Input[] | undefined): Record<string, string> | undefined {
  const named = (given ?? []).flatMap(each => {
    if (each.name === undefined) return []
    const value = each.value ?? each.default
    if (value === undefined && each.isRequired !== true) return []
    const variable = each.name.toUpperCase().replace(/\W+/g, '_')
    const filled = (value ?? `{${variable}}`).replace(
      /\$?\{([A-Za-z_]\w*)\}/g,
      (_, word: string) => `\${env:${word.toUpperCase()}}`,
    )
    return [[each.name, filled] as const]
  })
  return named.length === 0 ? undefined : Object.fromEntries(named)
}

function withCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      part,
    ]),
  )
}
