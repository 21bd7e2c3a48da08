/** Every caller × every kind of source: what happens with a tool that LLM_MCP_NEED_CONFIRM names. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptToolCommands } from '../../core/script/script-tools.ts'
import { confirmReason } from '../../core/tool/confirm-reason.ts'
import { Catalog } from '../catalog/catalog.ts'
import { callCommand } from '../commands/call.ts'
import { checkCommand } from '../commands/check.ts'
import { compareCommand } from '../commands/compare.ts'
import { scriptCommand } from '../commands/script.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { consoleRoutes } from '../http/routes/console.ts'
import { Emitter } from '../process/events.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { mcpFactory } from '../serve-mcp/mcp-factory.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import { scriptedFactory } from '../serve-mcp/scripted-factory.ts'
import { neverAborted, resolveInRepository } from '../sources/testkit.ts'
import { startValidator } from '../workers/validator.ts'
import { type Caller, createCaller } from './call.ts'
import { runCatalogScript } from './script-runner.ts'

const notifications = new Emitter<SourceNotification>()

const folder = mkdtempSync(join(tmpdir(), 'toolscope-confirm-callers-'))
const program = `
const tools = [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
console.log(process.argv.at(-1) === '--llms' ? JSON.stringify({ tools }) : process.argv.at(-1))
`
const server = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')]
const sources = {
  server: { mcp: { command: server } },
  program: { command: [process.execPath, join(folder, 'echo.mjs')] },
  tree: { functions: join(folder, 'tree') },
}
type Source = keyof typeof sources
const kinds = Object.keys(sources) as Source[]
const variable = 'LLM_MCP_NEED_CONFIRM'
const environment = {
  ...process.env,
  [variable]: 'e.*o',
  TOOLSCOPE_DATA_DIR: join(folder, '.data'),
}
const validator = startValidator()
const input = { message: 'x' }
let catalog: Catalog
let call: Caller

beforeAll(async () => {
  write('echo.mjs', program)
  const parameters = { type: 'object', properties: { message: { type: 'string' } } }
  write('tree/functions.json', JSON.stringify([{ name: 'echo', description: 'Echo.', parameters }]))
  write('tree/bin/echo', '#!/usr/bin/env bash\necho "$1" > "$LLM_OUTPUT"\n')
  write('toolscope.json', JSON.stringify({ sources }))
  write('script.sh', '')
  for (const kind of kinds)
    write(`toolscope.examples/${kind}/echo/one.json`, JSON.stringify({ name: 'one', input }))
  catalog = new Catalog({ directory: folder, environment })
  for (const kind of kinds) await catalog.sources.open(configuredSource(sources[kind], { name: kind }, {}))
  call = createCaller({ tools: catalog, validator, pins: null })
}, 60_000)

afterAll(async () => {
  await catalog.close()
  await validator.close()
  rmSync(folder, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  if (text.startsWith('#!')) chmodSync(join(folder, path), 0o755)
}

const quietContext = (stdin = '') => ({
  directory: folder,
  environment,
  say: () => {},
  write: () => {},
  readStdin: async () => stdin,
  signal: neverAborted(),
})

const commandOf = (source: Source): string => catalog.tools.commands().commandOf(`${source}/echo`) ?? ''

/** Returns what happened to the call: it ran, or the reason why it did not. */
type CallBy = (source: Source, isAllowed: boolean) => Promise<unknown>

/** The page reads the reason from the tool's details, and asks. */
const page: CallBy = async source => confirmReason(catalog.detail(`${source}/echo`))

/** The page's console reads the reason from the list of commands, and asks. */
const consolePage: CallBy = async source => {
  const answer = await consoleRoutes(catalog, null).request('/api/commands')
  const { commands } = (await answer.json()) as { commands: { ref: string; confirm?: string }[] }
  return commands.find(({ ref }) => ref === `${source}/echo`)?.confirm
}

const refusal = async (run: Promise<{ exitCode?: number | undefined }>) =>
  run.then(
    ({ exitCode = 0 }) => (exitCode === 0 ? 'ran' : `exit ${exitCode}`),
    thrown => thrown.code,
  )

const commandLine: CallBy = (source, yes) =>
  refusal(
    Promise.resolve(
      callCommand.run(
        { tool: `${source}/echo`, sources: [], input, yes, accept: [], trust: true },
        quietContext(),
      ),
    ),
  )

const scriptByCommand: CallBy = (source, allowDestructive) => {
  const given = scriptCommand.input.parse({ allowDestructive, trust: true })
  const text = `${commandOf(source)} --json '{"message":"x"}'`
  return refusal(Promise.resolve(scriptCommand.run(given, quietContext(text))))
}

const scriptText = (source: Source) => `name=${commandOf(source)}; $name --json '{"message":"x"}'`

const scriptThatBuildsTheName: CallBy = async (source, isAllowed) => {
  const running = await runCatalogScript({
    script: scriptText(source),
    names: scriptToolCommands(catalog.tools.list()),
    call,
    validator,
    confirmed: isAllowed ? 'all' : new Set(),
    onEvent: () => {},
  })
  const { exitCode } = await running.ended
  return exitCode === 0 ? 'ran' : `exit ${exitCode}`
}

const callByCheck: CallBy = async (source, allowDestructive) => {
  const given = checkCommand.input.parse({ tool: `${source}/echo`, allowDestructive, trust: true })
  const { output } = await checkCommand.run(given, quietContext())
  return (output as { examples: { status: string }[] }).examples[0]?.status
}

const callByCompare: CallBy = async (source, allowDestructive) => {
  const given = compareCommand.input.parse({
    ...{ a: source, b: source, trust: true },
    ...{ allowWrites: true, allowDestructive },
  })
  const { output } = await compareCommand.run(given, quietContext())
  return (output as { pairs: { status: string }[] }).pairs[0]?.status === 'skipped' ? 'skipped' : 'ran'
}

const served = () => ({ catalog, call, timeoutMs: 60_000, opened: Promise.resolve(), notifications })

const mcp: CallBy = async (source, allowDestructive) => {
  const selection = { agents: 'all', agentToolsOnly: false } as const
  const factory = mcpFactory({ ...served(), pins: null, allowDestructive, variables: {}, selection })
  const answer = await askMcp(factory, { name: `${source}_echo`, arguments: input })
  return answer.isError !== true ? 'ran' : JSON.stringify(answer).includes(variable) ? 'refused' : answer
}

const scriptedMcp: CallBy = async (source, allowDestructive) => {
  const factory = scriptedFactory({ ...served(), pins: null, validator, allowDestructive })
  const answer = await askMcp(factory, { name: 'run_script', arguments: { script: scriptText(source) } })
  return `exit ${(answer.structuredContent as { exitCode: number }).exitCode}`
}

async function askMcp(
  factory: Pick<ReturnType<typeof mcpFactory>, 'build'>,
  request: { name: string; arguments: Record<string, unknown> },
) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([factory.build('legacy').connect(theirs), client.connect(ours)])
  return client.callTool(request)
}

const bridge: CallBy = async source => {
  const app = createBridge({
    pins: null,
    ...served(),
    validator,
    access: { loopback: true },
    tools: bridgeTools(catalog, new Set()),
    version: 'test',
  })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', body: JSON.stringify(input), headers }
  const answer = await fetch(`${url}/tools/${source}_echo`, request)
  server.close()
  return (await answer.text()).includes('x') ? 'ran' : 'refused'
}

const callers: readonly (readonly [name: string, CallBy, unconfirmed: string, allowed: string | null])[] = [
  ['the page', page, 'rule', null],
  ['the console', consolePage, 'rule', null],
  ['toolscope call', commandLine, 'usage', 'ran'],
  ['toolscope script', scriptByCommand, 'usage', 'ran'],
  ['a script that builds the name', scriptThatBuildsTheName, 'exit 126', 'ran'],
  ['toolscope check', callByCheck, 'skipped', 'passed'],
  ['toolscope compare --allow-writes', callByCompare, 'skipped', 'ran'],
  ['toolscope mcp', mcp, 'refused', 'ran'],
  ['toolscope mcp --scripted', scriptedMcp, 'exit 126', 'exit 0'],
  ['toolscope bridge, which leaves the question to its client', bridge, 'ran', null],
]

describe.each(kinds)('confirm rule of a tool of the %s', source => {
  it.each(callers)(
    'in %s',
    async (_name, callBy, unconfirmed, allowed) => {
      expect(await callBy(source, false)).toBe(unconfirmed)
      if (allowed !== null) expect(await callBy(source, true)).toBe(allowed)
    },
    60_000,
  )
})
