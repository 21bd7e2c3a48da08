/** A server.json of the MCP registry as a source: by its path, and as a text. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { neverAborted, resolveInRepository, testContext } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { detectSource, detectSources } from './detect-source.ts'
import { recogniseText } from './recognise.ts'
import { recogniseLine } from './recognise-line.ts'

const $schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const about = { $schema, name: 'io.github.ada/everything', description: 'All of MCP', version: '2.0.0' }
const started = {
  registryType: 'npm',
  identifier: resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
  runtimeHint: process.execPath,
  transport: { type: 'stdio' },
  packageArguments: [{ type: 'positional', value: 'stdio' }],
}
const served = { ...started, transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } }
const needsFolder = {
  registryType: 'npm',
  identifier: '@ada/files',
  version: '2.0.0',
  transport: { type: 'stdio' },
  packageArguments: [{ type: 'positional', valueHint: 'folder', isRequired: true }],
}
const remotes = [
  {
    type: 'streamable-http',
    url: 'https://mcp.example.com/mcp',
    headers: [{ name: 'X-Api-Key', value: 'Bearer {api_key}', isRequired: true }],
  },
]

const inFolder = (directory: string) => ({ ...testContext, directory })
const writeEntry = (folder: string, entry: object, name = 'server.json') =>
  writeFileSync(join(folder, name), JSON.stringify({ ...about, ...entry }))

describe('server.json', () => {
  test('as a source, starts the server and lists its tools', async ({ folder }) => {
    writeEntry(folder, { packages: [served, started] })
    const [spec, ...others] = await detectSources('server.json', inFolder(folder))
    expect(others).toEqual([])
    expect(spec?.settings.name).toBe('everything')
    const session = await spec?.open(inFolder(folder))
    const { tools = [] } = (await session?.manifest(neverAborted())) ?? {}
    expect(tools.map(({ name }) => name)).toContain('echo')
    await session?.close()
  })

  test('as a source, has the first way that needs no value of the user', async ({ folder }) => {
    writeEntry(folder, { packages: [served, needsFolder], remotes })
    const spec = await detectSource('server.json', inFolder(folder))
    expect(spec).toMatchObject({
      kind: 'mcp-server',
      server: {
        config: {
          url: 'https://mcp.example.com/mcp',
          headers: { 'X-Api-Key': `Bearer \${env:API_KEY}` },
        },
      },
    })
    expect((await recogniseLine('server.json', inFolder(folder))).about).toBe(
      'An MCP server that a file names',
    )
  })

  test('as a source that nothing can start, says why and which command it names', async ({ folder }) => {
    const openError = async (packages: readonly object[]) => {
      writeEntry(folder, { packages })
      const spec = await detectSource('server.json', inFolder(folder))
      return toAppError(await spec.open(inFolder(folder)).catch(thrown => thrown)).toShape()
    }
    expect(await openError([needsFolder])).toMatchObject({
      detail: expect.stringContaining(
        'the server "io.github.ada/everything" cannot be started: it needs a value for <folder>',
      ),
      hint: "Name the command with the value in that place: npx -y @ada/files@2.0.0 '<folder>'",
    })
    expect((await openError([served, { registryType: 'mcpb', identifier: 'a.mcpb' }])).detail).toContain(
      'it speaks streamable-http: start it by hand, then add its address http://localhost:1/mcp; packages of "mcpb" cannot be started here',
    )
  })

  test('as a source, is recognised by its schema under any name, and by its name only with its content', async ({
    folder,
  }) => {
    writeEntry(folder, { remotes }, 'files.json')
    expect((await detectSource('files.json', inFolder(folder))).kind).toBe('mcp-server')
    writeFileSync(join(folder, 'server.json'), '{"tools":[],"packages":{}}')
    expect((await detectSource('server.json', inFolder(folder))).kind).toBe('manifest-file')
  })

  test('as a text, offers each way', () => {
    const text = JSON.stringify({ ...about, packages: [served, started, needsFolder], remotes })
    const { about: words, choose, sources } = recogniseText('server.json', text)
    expect([words, choose]).toEqual([
      'The server "io.github.ada/everything" as the MCP registry describes it',
      'one',
    ])
    expect(sources.map(({ problem }) => problem !== undefined)).toEqual([true, false, false, false])
  })
})
