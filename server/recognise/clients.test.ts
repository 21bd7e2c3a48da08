/** The files of ten clients, where each system keeps them, each of their servers opened for real. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { forward, listenOnce, startMcpServer } from '../fetch/network.testkit.ts'
import { InputValues } from '../sources/inputs.ts'
import type { SourceContext } from '../sources/source.ts'
import { neverAborted, resolveInRepository, testContext } from '../sources/testkit.ts'
import { type Machine, userFiles } from './client-files.ts'
import { detectSource, detectSources } from './detect-source.ts'
import { clientFiles, listClients } from './list-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-clients-'))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const fixture = (name: string) =>
  readFileSync(resolveInRepository(`server/recognise/fixtures/${name}`), 'utf8')

/** By the end of the path: what each client's file says. */
const fixtures: readonly (readonly [end: string, name: string])[] = [
  ['/Claude/claude_desktop_config.json', 'claude_desktop_config.fixture.json'],
  ['/.claude.json', 'claude.fixture.json'],
  ['/Code/User/mcp.json', 'vscode-mcp.fixture.json'],
  ['/Code/User/settings.json', 'vscode-settings.fixture.json'],
  ['/.cursor/mcp.json', 'cursor-mcp.fixture.json'],
  ['/windsurf/mcp_config.json', 'mcp_config.fixture.json'],
  ['/.codex/config.toml', 'config.fixture.toml'],
  ['/.gemini/settings.json', 'gemini-settings.fixture.json'],
  ['/zed/settings.json', 'zed-settings.fixture.json'],
  ['/shop/.mcp.json', 'project.mcp.fixture.json'],
  ['/shop/.vscode/mcp.json', 'vscode-mcp.fixture.json'],
  ['/shop/fastmcp.json', 'fastmcp.fixture.json'],
]

/** A home with the file of every client, and a project. @param port where the remote servers are */
function makeHome(platform: NodeJS.Platform, port = 4711) {
  const home = join(folder, platform)
  const project = join(home, 'shop')
  const machine: Machine = { platform, home, environment: {} }
  // A path of Windows is one on this system with its slashes turned.
  const files = clientFiles(machine, project).map(file => ({
    ...file,
    path: file.path.replaceAll('\\', '/'),
  }))
  for (const { path, scope } of files) {
    const isOf = (end: string) => end.startsWith('/shop/') === (scope === 'project')
    const [, name] =
      fixtures.find(([end]) => isOf(end) && path.toLowerCase().endsWith(end.toLowerCase())) ?? []
    if (name === undefined) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fixture(name).replaceAll('4711', String(port)).replaceAll('/home/ada', home))
  }
  return { home, project, files }
}

it('MCP clients: userFiles knows the paths of each system', () => {
  const paths = (platform: NodeJS.Platform, home: string, environment = {}) =>
    userFiles({ platform, home, environment }).map(({ client, path }) => `${client}: ${path}`)
  expect(paths('linux', '/home/ada')).toEqual([
    'Claude Desktop: /home/ada/.config/Claude/claude_desktop_config.json',
    'Claude Code: /home/ada/.claude.json',
    'VS Code: /home/ada/.config/Code/User/mcp.json',
    'VS Code: /home/ada/.config/Code/User/settings.json',
    'VS Code Insiders: /home/ada/.config/Code - Insiders/User/mcp.json',
    'VS Code Insiders: /home/ada/.config/Code - Insiders/User/settings.json',
    'Cursor: /home/ada/.cursor/mcp.json',
    'Windsurf: /home/ada/.codeium/windsurf/mcp_config.json',
    'Codex: /home/ada/.codex/config.toml',
    'Gemini CLI: /home/ada/.gemini/settings.json',
    'Zed: /home/ada/.config/zed/settings.json',
  ])
  const mac = paths('darwin', '/Users/ada')
  expect(mac).toContain(
    'Claude Desktop: /Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
  )
  expect(mac).toContain('VS Code: /Users/ada/Library/Application Support/Code/User/mcp.json')
  expect(mac).toContain('Zed: /Users/ada/.config/zed/settings.json')
  const windows = paths('win32', 'C:\\Users\\ada', { APPDATA: 'D:\\Roaming' })
  expect(windows).toContain('Claude Desktop: D:\\Roaming\\Claude\\claude_desktop_config.json')
  expect(windows).toContain('VS Code: D:\\Roaming\\Code\\User\\mcp.json')
  expect(windows).toContain('Zed: D:\\Roaming\\Zed\\settings.json')
  expect(windows).toContain('Codex: C:\\Users\\ada\\.codex\\config.toml')
  const moved = paths('linux', '/home/ada', {
    CODEX_HOME: '/c',
    CLAUDE_CONFIG_DIR: '/k',
    XDG_CONFIG_HOME: '/x',
  })
  expect(moved).toEqual(
    expect.arrayContaining([
      'Codex: /c/config.toml',
      'Claude Code: /k/.claude.json',
      'Zed: /x/zed/settings.json',
    ]),
  )
})

it.each(['linux', 'darwin', 'win32'] as const)(
  'MCP clients: listClients finds every server in a home of %s',
  platform => {
    const { home, files } = makeHome(platform)
    const found = listClients(files, () => undefined)
    const names = found.map(({ client, scope, servers }) => [
      `${client} ${scope}`,
      ...servers.map(({ name }) => name),
    ])
    expect(names).toEqual([
      ['Claude Code project', 'everything'],
      ['VS Code project', 'everything', 'remote'],
      ['FastMCP project', 'shop'],
      ['Claude Desktop user', 'everything', 'typo'],
      ...(platform === 'win32' ? [['Claude Desktop user', 'everything', 'typo']] : []),
      ['Claude Code user', 'docs', 'everything', 'old'],
      ['VS Code user', 'everything', 'remote'],
      ['VS Code user', 'everything'],
      ['Cursor user', 'everything', 'remote'],
      ['Windsurf user', 'remote', 'everything'],
      ['Codex user', 'everything', 'remote', 'off'],
      ['Gemini CLI user', 'remote', 'everything', 'off'],
      ['Zed user', 'everything', 'nested', 'mcp-server-github'],
    ])
    const servers = found.flatMap(file => file.servers.map(server => ({ client: file.client, ...server })))
    expect(servers.filter(({ isDisabled }) => isDisabled).map(({ client, id }) => `${client} ${id}`)).toEqual(
      [`Claude Code ${home}/shop/old`, 'Windsurf everything', 'Codex off', 'Gemini CLI off'],
    )
    expect(new Set(servers.flatMap(({ problem }) => problem ?? []))).toEqual(
      new Set([
        'the entry "typo" has neither a "command" with "args" nor a "url" that can be read',
        'the entry "mcp-server-github" is installed by an extension of its client; only the client knows how it starts',
      ]),
    )
    const asked = found.find(({ client }) => client === 'VS Code')?.servers[0]?.inputs
    expect(asked).toEqual([
      { id: 'api-key', label: 'ACME API key', isSecret: true },
      {
        id: 'region',
        label: 'Region',
        isSecret: false,
        default: 'eu-west',
        options: [
          { label: 'eu-west', value: 'eu-west' },
          { label: 'US East', value: 'us-east' },
        ],
      },
    ])
    expect(JSON.stringify(found)).not.toMatch(/fake-[\w-]+-\d{4}/)
  },
)

it('MCP clients: every listed server opens with its environment and inputs', async ({ onTestFinished }) => {
  const arrived: IncomingHttpHeaders[] = []
  const port = await listenOnce(forward(await startMcpServer(onTestFinished), arrived), onTestFinished)
  const { home, project, files } = makeHome('linux', port)
  vi.stubEnv('HOME', home)
  writeFileSync(join(project, '.env'), 'FROM_FILE="from the file"\nACME_REGION=elsewhere\n')
  // FastMCP is a program of Python: here is one that starts a server when it is called as FastMCP would be.
  const fastmcp = join(folder, 'fastmcp')
  writeFileSync(
    fastmcp,
    `#!/bin/sh\n[ "$*" = "run ${project}/fastmcp.json --transport stdio" ] && exec mcp-server-everything stdio\n`,
  )
  chmodSync(fastmcp, 0o755)
  vi.stubEnv('PATH', `${folder}:${resolveInRepository('node_modules/.bin')}:${process.env.PATH}`)
  const inputValues = new InputValues()
  for (const { path } of files) inputValues.set(path, 'api-key', 'fake-typed-key-0005')
  const context: SourceContext = {
    ...testContext,
    directory: project,
    environment: { ...process.env, ACME_TOKEN: 'fake-token-0006', ACME_ORG: 'acme' },
    inputValues,
  }
  const opened = await Promise.all(
    listClients(files, () => undefined).flatMap(({ path, client, servers }) =>
      servers
        .filter(({ problem }) => problem === undefined)
        .map(async ({ id }) => {
          const session = await (await detectSource([`${path}#${id}`], context)).open(context)
          try {
            const { tools, problems } = await session.manifest(neverAborted())
            return { server: `${client} ${id}`, tools: tools.length, problems, path, session }
          } finally {
            await session.close()
          }
        }),
    ),
  )
  expect(opened).toHaveLength(23)
  for (const { server, tools, problems } of opened)
    expect({ server, problems, many: tools > 5 }).toEqual({ server, problems: [], many: true })
  const bearers = new Set(arrived.map(({ authorization }) => authorization))
  expect(bearers).toEqual(
    new Set([
      'Bearer fake-code-token-0002',
      'Bearer fake-typed-key-0005',
      'Bearer fake-token-0006',
      'Bearer fake-windsurf-token-0003',
    ]),
  )
  expect(arrived).toContainEqual(expect.objectContaining({ 'x-acme-org': 'acme', 'x-acme-client': 'codex' }))

  // The whole environment of a server: its own variables, those of its envFile, and none that it does not name.
  const environmentOf = async (path: string, id: string) => {
    const session = await (await detectSource([`${path}#${id}`], context)).open(context)
    onTestFinished(() => session.close())
    await session.manifest(neverAborted())
    for await (const event of session.call?.(
      { name: 'get-env', inputSchema: {} },
      { text: '{}', value: {} },
      { signal: neverAborted(), timeoutMs: 20_000 },
    ) ?? [])
      if (event.type === 'result') return JSON.stringify(event.content)
    return ''
  }
  const code = await environmentOf(join(project, '.vscode/mcp.json'), 'everything')
  for (const text of ['from the file', 'fake-typed-key-0005', 'ACME_REGION', 'eu-west'])
    expect(code).toContain(text)
  expect(code).not.toMatch(/fake-token-0006|elsewhere/)
  expect(await environmentOf(join(home, '.codex/config.toml'), 'everything')).toContain('fake-token-0006')
  expect(await environmentOf(join(home, '.cursor/mcp.json'), 'everything')).toContain(`${home}/acme`)
})

it('MCP clients: needed inputs and broken files are reported, and other files are still listed', async () => {
  const { project, files } = makeHome('linux')
  const vscode = join(project, '.vscode/mcp.json')
  const spec = await detectSource([`${vscode}#remote`], testContext)
  const error = await spec.open(testContext).catch(thrown => toAppError(thrown).toShape())
  expect(error).toMatchObject({
    code: 'inputs-needed',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file writes it
    detail: 'ACME API key (${input:api-key})',
    hint: expect.stringContaining('TOOLSCOPE_INPUT_API_KEY'),
  })
  await expect(detectSource([`${vscode}#nothing`], testContext)).rejects.toMatchObject({
    detail: `${vscode} names no server "nothing"`,
    ownHint: 'It names everything, remote.',
  })
  const all = await detectSources(join(folder, 'linux/.codex/config.toml'), testContext)
  expect(all.map(({ settings, listedOnly }) => [settings, listedOnly])).toEqual([
    [{ name: 'everything', timeoutMs: 90_000, inherit: ['ACME_TOKEN'] }, undefined],
    [{ name: 'remote' }, undefined],
    [{ name: 'off' }, true],
  ])
  const broken: Record<string, string> = {
    [join(folder, 'linux/.codex/config.toml')]: 'model = "x"\n[mcp_servers.a\ncommand = 1\n',
    [join(folder, 'linux/.config/zed/settings.json')]: '{\n  "context_servers": {\n    "a": }\n}',
    [join(folder, 'linux/.cursor/mcp.json')]: `{"mcpServers": {"deep": ${'['.repeat(50_000)}`,
  }
  for (const [path, text] of Object.entries(broken)) writeFileSync(path, text)
  const found = listClients(files, () => undefined)
  const problemOf = (end: string) => found.find(({ path }) => path.endsWith(end))?.problem
  expect(problemOf('config.toml')).toMatch(/config\.toml:2: ./)
  expect(problemOf('zed/settings.json')).toMatch(/settings\.json:3: ValueExpected/)
  expect(problemOf('.cursor/mcp.json')).toBeDefined()
  expect(found.filter(({ problem }) => problem === undefined)).toHaveLength(9)
})
