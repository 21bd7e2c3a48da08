/** The wire of real sources: each message is seen, exactly, and no planted secret. */
import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readRecordedCalls } from '../../core/wire/recorded-calls.ts'
import type { RecordingLine } from '../../core/wire/recording.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { getWire } from '../catalog/create-wire.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { copyExample } from '../llm-functions/testkit.ts'
import { detectSource } from '../recognise/detect-source.ts'
import type { SourceContext } from '../sources/source.ts'
import { neverAborted, resolveInRepository, testContext } from '../sources/testkit.ts'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import { startValidator } from '../workers/validator.ts'
import { readRecording } from './recording-file.ts'
import { Recorder } from './recordings.ts'
import { openReader } from './wire-reader.ts'

const node = process.execPath
const fixture = (name: string) => resolveInRepository(`server/sources/fixtures/${name}.mjs`)
const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

isolateTemporaryFolder()

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(words: string | readonly string[], context: Partial<SourceContext> = {}) {
  const catalog = new Catalog({ ...testContext, hashForWire: hashManifest })
  ends.push(() => catalog.close())
  const argument = typeof words === 'string' ? words : [...words]
  const whole = { ...testContext, ...context }
  const spec = await detectSource(argument, whole)
  const { name, opened } = catalog.sources.addNamed(spec)
  const wire = getWire(catalog.sources.get(name))
  const validator = startValidator()
  ends.push(() => validator.close())
  const caller = createCaller({ tools: catalog, validator, pins: null })
  return {
    catalog,
    wire,
    name,
    opened,
    reader: openReader(wire),
    async call(tool: string, input: unknown) {
      const text = JSON.stringify(input)
      const ref = `${name}/${tool}`
      const events = caller({ ref, input: { text, value: input }, origin: 'check', signal: neverAborted() })
      const all = []
      for await (const event of events) all.push(event)
      const [first] = all
      return { id: first?.type === 'started' ? first.id : '', ending: all.at(-1) }
    },
  }
}

async function startServer(...words: string[]): Promise<string> {
  const child: ChildProcess = spawn(node, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => child.kill('SIGKILL'))
  for await (const chunk of child.stdout ?? []) {
    const port = /listening (\d+)/.exec(String(chunk))?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}/mcp`
  }
  throw new Error('it did not start')
}

/** Serves an MCP server at a bridge of Toolscope. */
async function startBridge(): Promise<string> {
  const { catalog, name, opened } = await open(`mcp:${node} ${fixture('mcp-raw')}`)
  const validator = startValidator()
  const app = createBridge({
    pins: null,
    call: createCaller({ tools: catalog, validator, pins: null }),
    validator,
    access: { token: undefined, loopback: true },
    catalog,
    tools: bridgeTools(catalog, new Set([name])),
    opened,
    timeoutMs: 10_000,
    version: 'test',
  })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  ends.push(() => validator.close())
  ends.push(() => server.closeAllConnections())
  ends.push(() => server.close())
  return url
}

const all = { limit: 500 }

describe('wire over stdio', () => {
  it('has each line both ways, its pair and the id of its call', async () => {
    const source = await open(`mcp:${node} ${everything} stdio`)
    await source.opened
    const { id, ending } = await source.call('echo', { message: 'é ✓' })
    expect(ending).toMatchObject({ type: 'result' })
    const { rows } = await source.reader.page(all, neverAborted())
    expect(rows.filter(row => row.part === 'message').flatMap(row => row.violations ?? [])).toEqual([])
    expect(rows.some(row => row.part === 'stderr')).toBe(true)
    const [sent, answer] = rows.filter(row => row.tool === 'echo' && row.kind !== undefined)
    expect(sent).toMatchObject({ direction: 'sent', method: 'tools/call', callId: id, pairSeq: answer?.seq })
    expect(answer).toMatchObject({ kind: 'result', callId: id, pairSeq: sent?.seq })
    expect(answer?.latencyMs).toBe(sent?.latencyMs)
    const { message } = await source.reader.detail(answer?.seq ?? 0)
    expect(JSON.parse(message.text).result.content[0].text).toBe('Echo: é ✓')
    expect(message.bytes).toBe(Buffer.byteLength(message.text))
    const found = await source.reader.page({ ...all, text: 'ECHO: É', method: 'tools/call' }, neverAborted())
    expect(found.rows.map(row => row.seq)).toEqual([answer?.seq])
    expect(found.total).toBe(source.wire.count)
  })

  it('sends a message again with a new id', async () => {
    const source = await open(`mcp:${node} ${everything} stdio`)
    await source.opened
    const after = source.wire.lastSeq
    const { session } = source.catalog.sources.get(source.name)
    await session?.send?.(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get-sum","arguments":{"a":1,"b":2}}}',
    )
    await session?.send?.('{"jsonrpc":"2.0","id":1,"method":"no/such"}')
    const answered = async () => {
      const { rows } = await source.reader.page(
        { after, limit: 500, direction: 'received', wait: true },
        neverAborted(),
      )
      // The server may report that its lists changed, and they are read again.
      return rows.filter(
        row => row.kind === 'error' || (row.kind === 'result' && row.method === 'tools/call'),
      )
    }
    let answers = await answered()
    while (answers.length < 2) answers = await answered()
    expect(answers.map(row => row.kind).sort()).toEqual(['error', 'result'])
    await expect(session?.send?.('{"id":1}')).rejects.toThrow('not a request')
  })

  it('pages in both directions, counts what it drops, and clears', async () => {
    const source = await open(`mcp:${node} ${fixture('mcp-raw')}`)
    await source.opened
    const { total, rows } = await source.reader.page(all, neverAborted())
    const first = await source.reader.page({ after: 0, limit: 2 }, neverAborted())
    expect(first.rows).toEqual(rows.slice(0, 2))
    expect(first).toMatchObject({ hasBefore: false, hasAfter: true, matches: total })
    const before = await source.reader.page({ before: rows.at(-1)?.seq, limit: 2 }, neverAborted())
    expect(before.rows).toEqual(rows.slice(-3, -1))
    expect(before).toMatchObject({ hasAfter: true })
    const { wire } = source
    for (let added = 0; added < 10_001; added++)
      wire.sink({ direction: 'received', part: 'stderr', text: 'x' })
    expect(wire.dropped).toBe(total + 1)
    wire.clear()
    expect(await source.reader.page(all, neverAborted())).toMatchObject({
      total: 0,
      dropped: 0,
      firstSeq: 0,
    })
    await expect(source.reader.detail(1)).rejects.toThrow('no message 1')
  })
})

describe.each(['mcp-quirks-old', 'mcp-quirks-new'])('wire over HTTP of %s', file => {
  it('has requests with headers, answers with status, and each event', async () => {
    const url = await startServer(fixture(file), '--http')
    const source = await open(`mcp:${url}`)
    await source.opened
    const { id } = await source.call('slow', { steps: 2 })
    const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
    const request = rows.find(row => row.part === 'request')
    expect(request).toMatchObject({ direction: 'sent', tool: 'slow', kind: 'request' })
    const answer = rows.find(row => row.seq === request?.pairSeq)
    expect(answer).toMatchObject({ kind: 'result', tool: 'slow' })
    expect(rows.filter(row => row.method === 'notifications/progress')).toHaveLength(2)
    const { message } = await source.reader.detail(request?.seq ?? 0)
    expect(message.http).toMatchObject({ method: 'POST', url })
    expect(message.http?.headers?.['content-type']).toBe('application/json')
    expect(JSON.stringify(message.http)).not.toMatch(/"mcp-session-id":"[^•]/)
  })
})

it('wire of a skill: has the requests of a file with the id of the call', async () => {
  const source = await open(`mcp:${node} ${fixture('mcp-skills')}`)
  await source.opened
  const { id, ending } = await source.call('skills/skill://review/SKILL.md', {})
  expect(ending).toMatchObject({ type: 'result' })
  const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
  const requests = rows.filter(row => row.kind === 'request')
  expect(requests.map(row => row.method)).toEqual(['skills/get', 'resources/read'])
  expect(rows.filter(row => row.kind === 'result').map(row => row.callId)).toEqual([id, id])
})

it('wire over HTTP: has the request of a resource with the id of the call', async () => {
  const source = await open(`mcp:${await startServer(fixture('mcp-quirks-new'), '--http', '--resource')}`)
  await source.opened
  const { resources = [] } = source.catalog.sources.get(source.name).manifest ?? {}
  const { id, ending } = await source.call(`resources/${resources[0]?.uri}`, {})
  expect(ending).toMatchObject({ type: 'result' })
  const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
  expect(rows.find(row => row.part === 'request')).toMatchObject({
    method: 'resources/read',
    kind: 'request',
  })
  expect(rows.some(row => row.kind === 'result')).toBe(true)
})

it('wire of a bridge: has the request and the answer of a call', async () => {
  const source = await open(`bridge:${await startBridge()}`)
  await source.opened
  const tool = source.catalog.sources.get(source.name).manifest?.tools[0]?.name ?? ''
  const { id } = await source.call(tool, {})
  const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
  expect(rows.map(({ part, tool }) => ({ part, tool }))).toEqual([
    { part: 'request', tool },
    { part: 'response', tool },
  ])
  expect(rows[1]?.status).toBeTypeOf('number')
})

it('wire of a functions directory: has the variables and the text of LLM_OUTPUT', async () => {
  const source = await open(copyExample())
  await source.opened
  const { id } = await source.call('convert_units', { amount: 3, from: 'km', to: 'm' })
  const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
  expect(rows.map(row => row.part)).toEqual(['start', 'stderr', 'end'])
  const [start, , end] = await Promise.all(rows.map(row => source.reader.detail(row.seq)))
  expect(start?.message.run?.environment?.LLM_OUTPUT).toMatch(/output$/)
  expect(start?.message.text).toBe('{"amount":3,"from":"km","to":"m"}')
  expect(JSON.parse(end?.message.run?.output ?? '')).toEqual({ amount: 3000, unit: 'm', kind: 'length' })
  expect(end?.message.run?.exitCode).toBe(0)
})

it('wire of a program: has argv, input, output and exit code', async () => {
  const source = await open([node, resolveInRepository('examples/acme/acme.mjs')])
  await source.opened
  const manifest = source.catalog.sources.get(source.name).manifest
  const tool = manifest?.tools.find(({ name }) => /greet/.test(name))?.name ?? ''
  const { id } = await source.call(tool, { who: 'Ada' })
  const { rows } = await source.reader.page({ ...all, callId: id }, neverAborted())
  const [start, ...rest] = rows
  expect(start).toMatchObject({ part: 'start', tool, direction: 'sent' })
  expect(rest.at(-1)).toMatchObject({ part: 'end', pairSeq: start?.seq })
  const { message } = await source.reader.detail(start?.seq ?? 0)
  expect(message.text).toBe('{"who":"Ada"}')
  expect(message.run?.argv?.slice(-2)).toEqual(['--json', '{"who":"Ada"}'])
})

describe('secrets of a wire', () => {
  const plant = (kind: string, count: number) =>
    Array.from({ length: count }, (_, at) => `Zq${kind}${at}-${'x7'.repeat(6)}`)
  const environment = plant('env', 8)
  const inputs = plant('input', 8)
  const headers = plant('header', 7)
  const shapes = ['sk-abcdefghijklmnopqrst', 'ghp_abcdefghijklmnopqrstu', 'AKIAABCDEFGHIJKLMNOP']
  const results = plant('result', 4)
  const planted = [...environment, ...inputs, ...headers, ...shapes, ...results]

  /** Returns everything that the reader and a recording say of a source. */
  async function readAll(
    { wire, reader }: Awaited<ReturnType<typeof open>>,
    recorder: Recorder,
    file: string,
  ) {
    const { rows } = await reader.page(all, neverAborted())
    const details = await Promise.all(rows.map(row => reader.detail(row.seq)))
    const recorded: RecordingLine[] = []
    for await (const line of reader.recording(0)) recorded.push(line)
    // Messages may still arrive while the recorder reads the last lists.
    const { count } = wire
    const counts = await recorder.close()
    const lines: RecordingLine[] = []
    for await (const { line } of readRecording(file)) lines.push(line)
    expect(lines.filter(line => line.type === 'message')).toHaveLength(count)
    return { text: JSON.stringify([rows, details, recorded, lines]), counts, lines }
  }

  it('are in no row, no message and no recording of a stdio server', async () => {
    const variables = Object.fromEntries(environment.map((value, at) => [`SERVICE_${at}_API_KEY`, value]))
    const source = await open(`mcp:${node} ${everything} stdio`, { options: { environment: variables } })
    const file = join(tmpdir(), 'a.toolrec')
    const recorder = new Recorder(file, { by: 'test' })
    recorder.add(source.wire, true)
    await source.opened
    await source.call('get-env', {})
    const fields = Object.fromEntries(inputs.map((value, at) => [`password_${at}`, value]))
    const message = [...inputs, ...shapes, JSON.stringify({ client_secret: results[0] })].join(' ')
    await source.call('echo', { ...fields, message: `${message} {"password":"${results[1]}"}` })
    const { text, counts, lines } = await readAll(source, recorder, file)
    for (const secret of planted) expect(text).not.toContain(secret)
    expect(text).toContain('SERVICE_0_API_KEY')
    expect(counts.calls).toBe(2)
    expect(counts.masked).toBeGreaterThan(20)
    const messages = lines.filter(line => line.type === 'message')
    expect(readRecordedCalls(messages).map(call => call.tool)).toEqual(['get-env', 'echo'])
    const described = lines.filter(line => line.type === 'source').at(-1)
    expect(described).toMatchObject({ kind: 'mcp-server', transport: 'stdio' })
    expect(described?.protocol).toMatch(/^\d{4}-/)
    expect(lines.filter(line => line.type === 'manifest')).toHaveLength(1)
    for (const secret of planted.slice(0, 8)) {
      const { matches } = await source.reader.page({ ...all, text: secret }, neverAborted())
      expect(matches).toBe(0)
    }
  })

  it('are in no row, no message and no recording of an HTTP server', async () => {
    const url = await startServer(fixture('mcp-quirks-old'), '--http')
    const names = [
      'Authorization',
      'Cookie',
      'X-Api-Key',
      'X-Auth-Token',
      'X-Secret',
      'Api-Key',
      'X-Password',
    ]
    const given = Object.fromEntries(names.map((name, at) => [name, headers[at] ?? '']))
    const source = await open(`mcp:${url}?token=${results[2]}`, { options: { headers: given } })
    const file = join(tmpdir(), 'b.toolrec')
    const recorder = new Recorder(file, { by: 'test', redact: ['/message'] })
    recorder.add(source.wire, true)
    await source.opened
    await source.call('echo', { message: results[3] })
    const { text, lines } = await readAll(source, recorder, file)
    for (const secret of planted.filter(each => each !== results[3])) expect(text).not.toContain(secret)
    expect(JSON.stringify(lines)).not.toContain(results[3])
    expect(text).toContain('x-api-key')
  })
})
