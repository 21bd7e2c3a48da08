/**
 * A server as the MCP registry describes it (`server.json`): packages that are started, and addresses.
 * Source: github.com/modelcontextprotocol/registry, docs/reference/server-json; names of 2025-07 with underscores are read too.
 */
import { z } from 'zod'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { FoundSource, Recognised } from '../../core/api/sources.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { shown } from '../fetch/fetch-address.ts'
import { shownCommand } from '../process/command-line.ts'

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

/** Null where it is no such description. Each way to reach the server is one source, the first the proposed one. */
export function readRegistryServer(value: unknown): Recognised | null {
  const parsed = serverShape.safeParse(value)
  if (!parsed.success) return null
  const { name, packages = [], remotes = [] } = parsed.data
  if (packages.length + remotes.length === 0) return null
  const short = (name.split('/').at(-1) ?? name).replace(/[/,~\s]+/g, '-') || 'server'
  const sources: FoundSource[] = [
    ...packages.map(each => ({ name: short, ...startOf(each) })),
    ...remotes.map(({ url, headers }) => ({
      name: short,
      about: shown(url),
      entry: { mcp: { url, ...withoutUndefined({ headers: valuesOf(headers) }) } },
    })),
  ]
  return { about: `The server "${name}" as the MCP registry describes it`, choose: 'one', sources }
}

/** What starts a package, by the registry that it is from. */
function startOf(given: Package): Omit<FoundSource, 'name'> {
  const { version, transport, runtimeHint } = given
  const type = given.registryType ?? given.registryName ?? ''
  const id = given.identifier ?? given.name ?? ''
  const about = `${type} ${id}`
  if (transport?.type !== undefined && transport.type !== 'stdio')
    return {
      about,
      problem: `it speaks ${transport.type}: start it by hand, then add its address ${transport.url ?? ''}`,
    }
  const env = valuesOf(given.environmentVariables)
  const start = packageStart(type, id, version, runtimeHint, Object.keys(env ?? {}))
  if (start === null || id === '') return { about, problem: `packages of "${type}" cannot be started here` }
  const [program, options, named] = start
  const runtime = wordsOf(given.runtimeArguments)
  const command = [
    program,
    ...(runtime.length > 0 ? runtime : options),
    named,
    ...wordsOf(given.packageArguments),
  ]
  const entry: SourceEntry = { mcp: { command, ...withoutUndefined({ env }) } }
  return { about: shownCommand(command), entry }
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

/** `{type: "named", name: "--port", value: "1"}` is two words; what has no value yet is left for the user to write. */
function wordsOf(given: readonly Input[] = []): string[] {
  return given.flatMap(each => {
    const value = each.value ?? each.default
    const isNamed = each.type === 'named' && each.name !== undefined
    if (isNamed) return value === undefined ? [each.name ?? ''] : [each.name ?? '', value]
    if (value !== undefined) return [value]
    return each.isRequired === true ? [`<${each.valueHint ?? each.name ?? 'value'}>`] : []
  })
}

/** What has no value is asked of a variable of the same name. */
function valuesOf(given: readonly Input[] | undefined): Record<string, string> | undefined {
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
