/** Records real programs, trees and bridges as `toolscope record` and the page do, and calls the recordings. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { copyFunctions } from '../../scripts/test-processes.ts'
import { acme, program } from '../../scripts/toolscope-program.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { getWire } from '../catalog/create-wire.ts'
import { run } from '../commands/run.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { configuredSource, detectSource, type SourceArgument } from '../recognise/detect-source.ts'
import { callAndWait, openSource, resolveInRepository, testContext, toolNamed } from '../sources/testkit.ts'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import { RecordingWriter } from '../wire/recording-file.ts'
import { Recordings } from '../wire/recordings.ts'
import { startValidator } from '../workers/validator.ts'
import { ask, callOf, stdioTransport, withClient } from './testkit.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

isolateTemporaryFolder()

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(argument: SourceArgument, settings: object = {}) {
  const catalog = new Catalog({ ...testContext, hashForWire: hashManifest })
  ends.push(() => catalog.close())
  const { name, opened } = catalog.sources.addNamed(await detectSource(argument, testContext, { settings }))
  const validator = startValidator()
  ends.push(() => validator.close())
  return { catalog, name, opened, validator, call: createCaller({ tools: catalog, validator, pins: null }) }
}

type Call = readonly [tool: string, input: object]

/** Returns the path of a recording of the calls, and how they ended. */
async function record(argument: SourceArgument, calls: readonly Call[]) {
  const { catalog, name, opened, call } = await open(argument)
  const recordings = new Recordings()
  ends.push(() => recordings.close())
  const wire = getWire(catalog.sources.get(name))
  const { id } = await recordings.start([{ name, wire }], true)
  await opened
  recordings.readManifests()
  const found = []
  for (const [tool, value] of calls) {
    const input = { text: JSON.stringify(value), value }
    const { signal } = new AbortController()
    let last: object | undefined
    for await (const event of call({ ref: `${name}/${tool}`, input, origin: 'check', signal })) last = event
    found.push(comparable(last))
  }
  await recordings.stop(id)
  const file = join(tmpdir(), `${name}.toolrec`)
  let text = ''
  for await (const line of recordings.lines(id)) text += `${JSON.stringify(line)}\n`
  writeFileSync(file, text)
  const { session } = catalog.sources.get(name)
  const manifest = await session?.manifest(new AbortController().signal)
  return { file, found, names: manifest?.tools.map(tool => tool.name).sort() }
}

/** Returns what the tool decided; a program's log names its process. */
const comparable = (ending: object | undefined) => {
  const { type, reason, content, structuredContent, value, exitCode } = (ending ?? {}) as Record<
    string,
    unknown
  >
  return { type, reason, content, structuredContent, value, exitCode }
}

async function replay(file: string, calls: readonly Call[]) {
  const session = await openSource(file)
  try {
    const { tools } = await session.manifest(new AbortController().signal)
    const found = []
    for (const [tool, input] of calls)
      found.push(comparable((await callAndWait(session, await toolNamed(session, tool), input)).ending))
    return { found, names: tools.map(tool => tool.name).sort() }
  } finally {
    await session.close()
  }
}

/** Returns the texts of the tools' answers that `toolscope replay` gives to a client. */
async function serve(file: string, ...calls: readonly Call[]) {
  const transport = stdioTransport([process.execPath, program, 'replay', file, '--speed', 'max'], {
    TOOLSCOPE_DATA_DIR: tmpdir(),
  })
  const { answers } = await withClient(transport, 'legacy', async (client, seen) => {
    await ask(client, seen, 'tools/list')
    for (const [tool, input] of calls) await ask(client, seen, ...callOf(tool, input))
  })
  return answers.map(answer => JSON.stringify(answer))
}

/** Runs a command in this process. Returns all that it prints. */
async function runCommand(...args: readonly string[]) {
  let printed = ''
  const exitCode = await run([...args], {
    directory: tmpdir(),
    environment: { ...process.env, NO_COLOR: '1', TOOLSCOPE_DATA_DIR: tmpdir() },
    signal: new AbortController().signal,
    readStdin: async () => '',
    say: line => {
      printed += line
    },
    write: text => {
      printed += text
    },
    writeError: text => {
      printed += text
    },
  })
  return { exitCode, printed }
}

describe('recorded sources', () => {
  test('an --llms program has its list and its answers', async () => {
    const calls: readonly Call[] = [
      ['api greet', { name: 'Ada' }],
      ['api greet', { name: 5 }],
      ['api releases', {}],
      ['api greet', { name: 'Bo' }],
    ]
    const { file, found, names } = await record([process.execPath, acme], calls)
    const replayed = await replay(file, calls)
    expect(replayed.names).toEqual(names)
    expect(names?.length).toBeGreaterThan(4)
    expect(replayed.found).toEqual(found)
    const [list, greeted] = await serve(file, ['api_greet', { name: 'Bo' }])
    expect(list).toContain('api_greet')
    expect(greeted).toContain('Bo')
  })

  test('an llm-functions tree has its list and its answers', async () => {
    const tree = join(tmpdir(), 'tree')
    copyFunctions(tree)
    const calls: readonly Call[] = [
      ['convert_units', { amount: 1, from: 'km', to: 'm' }],
      ['convert_units', { amount: 1, from: 'km', to: 'x' }],
    ]
    const { file, found, names } = await record(tree, calls)
    expect(await replay(file, calls)).toEqual({ found, names })
    const entry = { recording: `${basename(file)}#tree` }
    const saved = configuredSource(entry, { name: 'saved' }, {})
    const session = await saved.open({ ...testContext, directory: dirname(file) })
    ends.push(() => session.close())
    const { tools } = await session.manifest(new AbortController().signal)
    expect(tools.map(tool => tool.name).sort()).toEqual(names)
  })

  test('a bridge has its list and its answers', async () => {
    const raw = resolveInRepository('server/sources/fixtures/mcp-raw.mjs')
    const { catalog, name, opened, call, validator } = await open(`mcp:${process.execPath} ${raw}`)
    await opened
    const app = createBridge({
      pins: null,
      call,
      validator,
      access: { token: undefined, loopback: true },
      catalog,
      tools: bridgeTools(catalog, new Set([name])),
      opened,
      timeoutMs: 30_000,
      version: 'test',
    })
    const { server, url } = await listenAt(app, '127.0.0.1', 0)
    ends.push(() => server.close())
    ends.push(() => server.closeAllConnections())
    const tools = (await (await fetch(`${url}/tools`)).json()) as { name: string }[]
    const calls = tools.slice(0, 3).map(({ name }): Call => [name, {}])
    const { file, found, names } = await record(`bridge:${url}`, calls)
    expect(names?.length).toBe(tools.length)
    expect(await replay(file, calls)).toEqual({ found, names })
    const [list] = await serve(file)
    expect(list).toContain(names?.[0])
  })

  test.each(['run', 'stdio'] as const)(
    'a list that cannot be read ends toolscope replay: %s',
    async transport => {
      const file = join(tmpdir(), `broken-${transport}.toolrec`)
      const writer = new RecordingWriter(file, { by: 'test' })
      writer.write({ type: 'source', source: 0, name: 'it', label: 'it', kind: 'program', transport })
      const manifest = { lockVersion: 1, sources: { it: { format: 'llms', tools: 3 } } }
      writer.write({ type: 'manifest', source: 0, atMs: 0, hash: '', manifest })
      writer.close()
      const { exitCode, printed } = await runCommand('replay', file)
      expect([exitCode, printed]).toEqual([3, expect.stringContaining('sources.it.tools')])
      expect(printed).toContain('its list of tools: ')
    },
  )

  test('toolscope check --against reads the source that is named', async () => {
    const file = join(tmpdir(), 'two.toolrec')
    const writer = new RecordingWriter(file, { by: 'test' })
    const tool = { name: 'greet', inputSchema: { type: 'object' } }
    for (const [source, name] of ['a', 'b'].entries()) {
      const manifest = { lockVersion: 1, sources: { [name]: { format: 'mcp', tools: [tool] } } }
      writer.write({ type: 'source', source, name, label: name, kind: 'llms', transport: 'run' })
      writer.write({ type: 'manifest', source, atMs: 0, hash: '', manifest })
      const message = { type: 'message', source, seq: 1, atMs: 1, bytes: 0, exchange: 1 } as const
      const start = { direction: 'sent', part: 'start' } as const
      writer.write({
        ...message,
        ...start,
        run: { argv: ['x'], tool: 'greet' },
        text: JSON.stringify({ [name]: 1 }),
      })
    }
    writer.close()
    const newer = join(tmpdir(), 'newer.json')
    const inputSchema = { type: 'object', properties: { b: { type: 'string' } } }
    writeFileSync(newer, JSON.stringify({ tools: [{ ...tool, inputSchema }] }))
    expect(await runCommand('check', `${file}#a`, '--against', newer)).toMatchObject({ exitCode: 0 })
    const { exitCode, printed } = await runCommand('check', `${file}#b`, '--against', newer)
    expect([exitCode, printed]).toEqual([5, expect.stringContaining('the input is refused: /b')])
    expect((await runCommand('check', file, '--against', newer)).printed).toContain(`${file}#a`)
  })
})
