import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { surfaceEntries } from '../../core/tool/surface.ts'
import type { Callable } from '../../core/tool/tool.ts'
import { freePort, startBeside, until } from '../../scripts/test-processes.ts'
import type { Session } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'

const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const opened: Session[] = []
const processes: ChildProcess[] = []

afterEach(() => Promise.all(opened.splice(0).map(session => session.close())))
afterAll(() => {
  for (const child of processes) child.kill()
})

async function open(argument: Parameters<typeof openSource>[0]): Promise<Session> {
  const session = await openSource(argument)
  opened.push(session)
  return session
}

async function everythingOverHttp(): Promise<string> {
  const port = await freePort()
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  processes.push(child)
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  await until(() => said.includes('listening'))
  return `mcp:http://127.0.0.1:${port}/mcp`
}

const inputs: Readonly<Record<string, string>> = {
  city: 'Bonn',
  department: 'Engineering',
  name: 'Alice',
  resourceType: 'Text',
  resourceId: '1',
}

/** Every field that the entry has, with a value that the server takes. */
function inputOf({ inputSchema }: Callable) {
  const { properties } = inputSchema as { properties: object }
  return Object.fromEntries(Object.keys(properties).flatMap(key => (inputs[key] ? [[key, inputs[key]]] : [])))
}

describe.each([
  ['stdio', () => Promise.resolve(['mcp:', process.execPath, everything, 'stdio'])],
  ['Streamable HTTP', everythingOverHttp],
])('server-everything over %s', (_transport, argument) => {
  it('lists and answers every prompt, resource and template', async () => {
    const session = await open(await argument())
    const manifest = await session.manifest(neverAborted())
    expect(manifest.problems).toEqual([])
    expect(manifest.capabilities).toMatchObject({ resources: { subscribe: true }, completions: {} })
    const { prompts = [], resources = [], resourceTemplates = [] } = manifest
    expect(prompts.map(({ name }) => name)).toEqual([
      'simple-prompt',
      'args-prompt',
      'completable-prompt',
      'resource-prompt',
    ])
    expect(resources).toHaveLength(7)
    expect(resourceTemplates).toHaveLength(2)
    const content: Record<string, unknown> = {}
    for (const { callable } of surfaceEntries(manifest)) {
      const { ending } = await callAndWait(session, callable, inputOf(callable))
      expect(ending, callable.name).toMatchObject({ type: 'result' })
      expect(ending.content.length, callable.name).toBeGreaterThan(0)
      content[callable.name] = ending.content
    }
    expect(content).toMatchObject({
      'args-prompt': [{ type: 'text', role: 'user', text: "What's weather in Bonn?" }],
      'resource-prompt': [{ role: 'user' }, { type: 'resource', role: 'user' }],
      'architecture.md': [{ type: 'text', text: expect.stringContaining('# Everything Server') }],
      'Dynamic Text Resource': [{ type: 'text', text: expect.stringContaining('Resource 1') }],
      'Dynamic Blob Resource': [{ type: 'resource', resource: { blob: expect.any(String) } }],
    })
    const completable = surfaceEntries(manifest).find(
      ({ callable }) => callable.name === 'completable-prompt',
    )
    const asked = { argument: 'name', text: 'A', others: { department: 'Engineering' } }
    const suggested = session.complete?.(
      completable?.callable ?? { name: '', inputSchema: true },
      asked,
      neverAborted(),
    )
    expect(await suggested).toEqual(['Alice'])
    const [prompt] = surfaceEntries(manifest).filter(({ callable }) => callable.name === 'args-prompt')
    const refused = await callAndWait(session, prompt?.callable ?? { name: '', inputSchema: true }, {})
    expect(refused.ending).toMatchObject({ type: 'failure', message: expect.stringContaining('-32602') })
  })
})

describe.each([
  [
    'handshakes',
    [everything, 'stdio'],
    'demo://resource/static/document/startup.md',
    'toggle-subscriber-updates',
  ],
  [
    '2026-07-28',
    [resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs'), '--resource'],
    'quirk://counter',
    'grow',
  ],
])('resource subscription of the era of %s', (_era, words, uri, change) => {
  it('reports changes until it is removed', async () => {
    const changed: string[] = []
    const resourceChanged = (each: string) => void changed.push(each)
    const session = await openSource(['mcp:', process.execPath, ...words], {
      ...testContext,
      resourceChanged,
    })
    opened.push(session)
    const tool = await toolNamed(session, change)
    expect(session.resourceChanges?.uris).toEqual(new Set())
    await session.resourceChanges?.set(uri, true)
    expect(session.resourceChanges?.uris).toEqual(new Set([uri]))
    await callAndWait(session, tool, {})
    await until(() => changed.length > 0)
    expect(changed).toEqual([uri])
    await session.resourceChanges?.set(uri, false)
    expect(session.resourceChanges?.uris).toEqual(new Set())
  })
})

describe('resource subscription after a restart of the server', () => {
  const quirks = resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')
  const uri = 'quirk://counter'

  async function subscribe(argument: Parameters<typeof openSource>[0]) {
    const changed: string[] = []
    let renewed = 0
    const session = await openSource(argument, {
      ...testContext,
      resourceChanged: each => void changed.push(each),
      changed: cause => void (cause === 'connected again' && renewed++),
    })
    opened.push(session)
    const grow = await toolNamed(session, 'grow')
    await session.resourceChanges?.set(uri, true)
    return { session, changed, grow, isRenewed: () => renewed > 0 }
  }

  async function expectFollowed({
    session,
    changed,
    grow,
    isRenewed,
  }: Awaited<ReturnType<typeof subscribe>>) {
    await until(isRenewed)
    expect(session.resourceChanges?.uris).toEqual(new Set([uri]))
    await callAndWait(session, grow, {})
    await until(() => changed.length > 0)
    expect(changed).toEqual([uri])
  }

  it('continues over stdio', async () => {
    const subscribed = await subscribe(['mcp:', process.execPath, quirks, '--resource'])
    await callAndWait(subscribed.session, await toolNamed(subscribed.session, 'crash'), {})
    await expectFollowed(subscribed)
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('continues over HTTP after %s', async signal => {
    const PORT = String(await freePort())
    const start = () => startBeside([quirks, '--http', '--resource'], /listening/, { PORT })
    const { child } = await start()
    const subscribed = await subscribe(`mcp:http://127.0.0.1:${PORT}/mcp`)
    child.kill(signal)
    await new Promise(resolve => child.once('exit', resolve))
    processes.push((await start()).child)
    await expectFollowed(subscribed)
  })
})

describe('prompts and resources of a server that breaks the rules', () => {
  const raw = resolveInRepository('server/sources/fixtures/mcp-raw.mjs')

  it('are listed without the bad entries, even when another list fails', async () => {
    const session = await open(['mcp:', process.execPath, raw, 'stdio', '--surface'])
    const manifest = await session.manifest(neverAborted())
    expect(manifest.tools.map(({ name }) => name)).toEqual(['fine', 'no-schema', '__proto__'])
    expect(manifest.prompts).toEqual([
      { name: 'greet', arguments: [{ name: 'who', required: true }] },
      { name: 'again' },
      { name: 'greet' },
    ])
    expect(manifest.resources?.map(({ uri, name }) => [uri, name])).toEqual([
      ['raw://json', 'raw://json'],
      ['raw://pixel', 'pixel'],
      ['raw://two', 'two'],
      ['raw://odd', 'odd'],
      ['raw://json', 'raw://json'],
      ['raw://pixel', 'pixel'],
      ['raw://two', 'two'],
      ['raw://odd', 'odd'],
    ])
    expect(manifest.resourceTemplates).toBeUndefined()
    expect(manifest.icons?.map(({ src }) => src.slice(0, 14))).toEqual(['data:image/png', 'https://icons.'])
    const said = manifest.problems.map(({ message }) => message).join('\n')
    for (const part of [
      'Prompt 0: Argument 1 has no name',
      'Prompt 1: It has no name; it is left out',
      'Prompt 2: Expected an object, got the number 7',
      'Prompt 3: Its arguments are no list',
      'Prompt 4: Entry 0 has the same name',
      'Resource 4: It has no uri',
      'resources/list was not read to its end: a page points back to itself',
      'resources/templates/list failed: templates broke. None are shown.',
    ])
      expect(said).toContain(part)
  })

  it('answer with messages, JSON, an image or several contents, and fail for nonsense', async () => {
    const session = await open(['mcp:', process.execPath, raw, 'stdio', '--surface'])
    const entries = surfaceEntries(await session.manifest(neverAborted()))
    const endingOf = async (path: string) => {
      const entry = entries.find(each => each.path === path)
      if (entry === undefined) throw new Error(`no ${path}`)
      return (await callAndWait(session, entry.callable, { who: 'Ada' })).ending
    }
    expect(await endingOf('prompts/greet')).toMatchObject({
      type: 'result',
      note: expect.stringContaining('A greeting'),
      content: [
        { role: 'user', type: 'text', text: 'hello' },
        { role: 'assistant', type: 'image', mimeType: 'image/png' },
        { role: 'user', type: 'text', text: '{"type":"hologram"}' },
        { type: 'text', text: '"no message"' },
      ],
    })
    expect(await endingOf('resources/raw://json')).toMatchObject({
      type: 'result',
      structuredContent: { big: expect.any(Number) },
      raw: '{"big":12345678901234567890}',
      note: 'raw://json · application/json',
    })
    expect(await endingOf('resources/raw://pixel')).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png' }],
    })
    expect(await endingOf('resources/raw://two')).toMatchObject({
      content: [
        { type: 'resource', resource: { uri: 'raw://one' } },
        { type: 'resource', resource: { blob: 'AAEC' } },
      ],
    })
    expect(await endingOf('resources/raw://odd')).toMatchObject({ type: 'failure', reason: 'bad-output' })
  })
})
