import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort, startBeside } from '../../scripts/test-processes.ts'
import { program } from '../../scripts/toolscope-program.ts'
import { replayOverHttp } from '../serve-mcp/serve-replay.ts'
import { openSource, resolveInRepository } from '../sources/testkit.ts'
import { RecordingIndex } from './recording-index.ts'
import {
  ask,
  type ClientWork,
  callOf,
  httpTransport,
  recordHttp,
  recordStdio,
  type Seen,
  stdioTransport,
  withClient,
} from './testkit.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'toolscope-replay-'))
const ends: (() => unknown)[] = []
afterAll(() => {
  for (const end of ends) end()
  rmSync(folder, { recursive: true })
})

const node = process.execPath
const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const filesystem = resolveInRepository('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const quirks = resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')

async function start(...given: Parameters<typeof startBeside>): Promise<string> {
  const { child, found } = await startBeside(...given)
  ends.push(() => child.kill('SIGKILL'))
  return found
}

const everythingWork: ClientWork = async (client, seen) => {
  await ask(client, seen, 'tools/list')
  await ask(client, seen, ...callOf('echo', { message: 'one' }))
  await ask(client, seen, ...callOf('get-sum', { b: 2, a: 1 }))
  await ask(client, seen, ...callOf('get-structured-content', { location: 'Chicago' }))
  await ask(client, seen, ...callOf('trigger-long-running-operation', { duration: 0.1, steps: 3 }))
  await ask(client, seen, ...callOf('trigger-elicitation-request'))
  await ask(client, seen, ...callOf('trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }))
  await ask(client, seen, ...callOf('get-sum', { a: 'x' }))
  await ask(client, seen, ...callOf('no-such-tool'))
  await ask(client, seen, 'prompts/list')
  await ask(client, seen, 'resources/list')
  await Promise.all(['a', 'b', 'c'].map(message => ask(client, seen, ...callOf('echo', { message }))))
}

const filesystemWork: ClientWork = async (client, seen) => {
  await ask(client, seen, 'tools/list')
  const path = resolveInRepository('examples')
  await ask(client, seen, ...callOf('list_directory', { path }))
  await ask(client, seen, ...callOf('directory_tree', { path }))
  await ask(client, seen, ...callOf('read_text_file', { path: join(path, 'acme/acme.mjs'), head: 5 }))
  await ask(client, seen, ...callOf('read_text_file', { path: '/no/such/file' }))
}

const quirksWork: ClientWork = async (client, seen) => {
  await ask(client, seen, 'tools/list')
  for (const message of [1, 2.5, 'x', null, { a: [1] }])
    await ask(client, seen, ...callOf('echo', { message }))
  await ask(client, seen, ...callOf('no-such-tool'))
}

/** The order in which a server logs is not part of an answer; its texts are. */
const comparable = ({ answers, questions }: Seen) => ({ answers, questions })

/** Replays a recording at an address of this process. */
async function replayed(
  file: string,
  options = { cycle: false, speed: Number.POSITIVE_INFINITY },
): Promise<string> {
  const index = await RecordingIndex.read(file)
  const stop = new AbortController()
  ends.push(() => stop.abort())
  return new Promise(resolve => {
    const write = (text: string) => resolve(/http\S+/.exec(text)?.[0] ?? '')
    void replayOverHttp(index, options, { port: 0, write, signal: stop.signal }).finally(() => index.close())
  })
}

const cases = [
  ['server-everything over stdio', 'legacy', everythingWork, () => [node, everything, 'stdio']],
  [
    'server-filesystem over stdio',
    'legacy',
    filesystemWork,
    () => [node, filesystem, resolveInRepository('examples')],
  ],
  ['a server of 2026-07-28 over stdio', 'auto', quirksWork, () => [node, quirks]],
  ['server-everything over HTTP', 'legacy', everythingWork, () => addresses.everything],
  ['a server of 2026-07-28 over HTTP', 'auto', quirksWork, () => addresses.quirks],
] as const

const addresses = { everything: '', quirks: '' }

beforeAll(async () => {
  const port = String(await freePort())
  const [, quirksPort] = await Promise.all([
    start([everything, 'streamableHttp'], /on port/, { PORT: port }),
    start([quirks, '--http'], /listening (\d+)/),
  ])
  addresses.everything = `http://127.0.0.1:${port}/mcp`
  addresses.quirks = `http://127.0.0.1:${quirksPort}/mcp`
})

describe('replay', () => {
  test.for(cases)('%s: each answer is equal', async ([name, era, work, target]) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.toolrec`)
    const found = target()
    const live =
      typeof found === 'string'
        ? await recordHttp(found, { file, era }, work)
        : await recordStdio(found, { file, era }, work)
    expect(live.answers.length).toBeGreaterThan(4)
    const again = await withClient(httpTransport(await replayed(file)), era, work)
    expect(comparable(again)).toEqual(comparable(live))
  })

  test('the command answers over stdio', async () => {
    const file = join(folder, 'command.toolrec')
    const live = await recordStdio([node, quirks], { file, era: 'auto' }, quirksWork)
    const piped = stdioTransport([node, program, 'replay', file, '--speed', 'max'])
    expect(comparable(await withClient(piped, 'auto', quirksWork))).toEqual(comparable(live))
  })

  test('a recording is a source that lists and calls as the server did', async () => {
    const file = join(folder, 'source.toolrec')
    const live = await recordStdio(
      [node, everything, 'stdio'],
      { file, era: 'legacy' },
      async (client, seen) => {
        await ask(client, seen, 'tools/list')
        await ask(client, seen, ...callOf('echo', { message: 'one' }))
      },
    )
    const session = await openSource(file)
    try {
      expect(session.kind).toBe('recording')
      const { tools } = await session.manifest(new AbortController().signal)
      expect({ tools: tools.length > 5, live: live.answers.length }).toEqual({ tools: true, live: 2 })
    } finally {
      await session.close()
    }
  })
})
