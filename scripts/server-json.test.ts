/**
 * server.json, the entry of the MCP registry for `toolscope mcp`: the rules of its schema of 2025-12-11 and of the
 * registry's own checks (modelcontextprotocol/registry: internal/validators/schemas/2025-12-11.json and validators.go).
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import packageJson from '../package.json' with { type: 'json' }
import { test } from '../server/testing/folder-test.ts'
import serverJson from '../server.json' with { type: 'json' }
import { acme, program } from './toolscope-program.ts'

/** A version, and not a range or `latest`, which the registry refuses. */
const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
const value = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  isRepeated: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  default: z.string().optional(),
  value: z.string().optional(),
}
const argument = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('positional'), valueHint: z.string().optional(), ...value })
    .refine(each => each.value !== undefined || each.valueHint !== undefined),
  z
    .strictObject({ type: z.literal('named'), name: z.string().regex(/^--?[\w-]+$/), ...value })
    .refine(each => ![each.value, each.default].some(text => text?.startsWith(each.name))),
])
const entry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(argument),
    }),
  ]),
})

test('server.json: keeps the rules of the schema and of the registry', () => {
  expect(entry.safeParse(serverJson).error).toBeUndefined()
})

test('server.json: names the version and the name of package.json, which proves its owner by mcpName', () => {
  const { name, version, mcpName } = packageJson
  const [{ identifier, version: packageVersion }] = entry.parse(serverJson).packages
  expect([serverJson.name, serverJson.version]).toEqual([mcpName, version])
  expect([identifier, packageVersion]).toEqual([name, version])
})

test('server.json: its arguments start a server that lists the tools of the named source', async ({
  folder,
}) => {
  const [{ packageArguments }] = entry.parse(serverJson).packages
  // The schema says of a named argument that it is `--flag={value}` on the command line.
  const args = packageArguments.map(each => {
    const text = each.value ?? each.default ?? `node ${acme}`
    return each.type === 'named' ? `${each.name}=${text}` : text
  })
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      env: { PATH: process.env.PATH ?? '', TOOLSCOPE_DATA_DIR: folder },
      stderr: 'ignore',
    }),
  )
  expect(client.getServerVersion()).toMatchObject({ name: packageJson.name, version: packageJson.version })
  expect((await client.listTools()).tools.map(tool => tool.name)).toContain('api_greet')
})
