import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { RecordingIndex } from './recording-index.ts'
import { ReplayConnection } from './replay-connection.ts'
import { ReplayOrder } from './replay-order.ts'
import { Recorder } from './testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-replay-unit-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Line = readonly [direction: 'sent' | 'received', message: object | string, atMs?: number]
let files = 0

/** Replays messages of a pipe; `receive` resolves with what the server has sent after `count` more messages. */
async function replay(lines: readonly Line[], { cycle = false, speed = Number.POSITIVE_INFINITY } = {}) {
  files += 1
  const file = join(folder, `${files}.toolrec`)
  const recorder = new Recorder(file, 'stdio')
  lines.forEach(([direction, message, atMs = 0], at) => {
    const text = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })
    recorder.add({ direction, part: 'message', text }, atMs || at)
  })
  recorder.close()
  const index = await RecordingIndex.read(file)
  const connection = new ReplayConnection(index, new ReplayOrder(index, { cycle, speed }))
  const sent: string[] = []
  return {
    connection,
    async receive(message: object | string, count = 1) {
      const before = sent.length
      const text = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })
      connection.receive(text, { send: each => sent.push(each) })
      await until(() => sent.length >= before + count)
      return sent.slice(before).map(each => JSON.parse(each) as { [key: string]: unknown })
    },
    close: () => index.close(),
  }
}

const call = (id: unknown, name: string, input: unknown = {}, more = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
})
const answer = (id: unknown, text: string) => ({ id, result: { content: [{ type: 'text', text }] } })
const textOf = (messages: readonly { [key: string]: unknown }[]) => JSON.stringify(messages)

describe('replay connection', () => {
  const twice: readonly Line[] = [
    ['sent', call(1, 'f', { a: 1, b: 2 })],
    ['received', answer(1, 'first')],
    ['sent', call(2, 'f', { b: 2, a: 1 })],
    ['received', answer(2, 'second')],
  ]

  test('the nth equal call gets the nth answer, then an error', async () => {
    const { receive, close } = await replay(twice)
    expect(await receive(call('x', 'f', { b: 2.0, a: 1 }, { _meta: { progressToken: 9 } }))).toEqual([
      { jsonrpc: '2.0', ...answer('x', 'first') },
    ])
    expect(textOf(await receive(call('y', 'f', { a: 1, b: 2 })))).toContain('second')
    expect(textOf(await receive(call('z', 'f', { a: 1, b: 2 })))).toContain(
      '2 times, and each answer was given',
    )
    await close()
  })

  test('cycle starts again with the first answer', async () => {
    const { receive, close } = await replay(twice, { cycle: true })
    for (const expected of ['first', 'second', 'first'])
      expect(textOf(await receive(call(1, 'f', { a: 1, b: 2 })))).toContain(expected)
    await close()
  })

  test('an unknown call names the nearest one and the first difference', async () => {
    const { receive, close } = await replay(twice)
    const [error] = await receive(call(1, 'f', { a: 1, b: 3 }))
    expect(error?.error).toEqual({
      code: -32602,
      message:
        'The recording has no call of "f" with this input. The nearest one is message 1. At /arguments/b it has 2, and this request has 3.',
    })
    expect(textOf(await receive(call(2, 'g')))).toContain('no call of \\"g\\"; it has calls of f')
    expect(textOf(await receive({ id: 3, method: 'resources/read', params: { uri: 'x' } }))).toContain(
      '-32601',
    )
    await close()
  })

  test('numbers keep their digits', async () => {
    const { connection, close } = await replay([
      [
        'sent',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"n":9007199254740993}}}',
      ],
      ['received', '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}'],
    ])
    const sent: string[] = []
    const ask = (digits: string) =>
      connection.receive(
        `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"f","arguments":{"n":${digits}}}}`,
        { send: text => sent.push(text) },
      )
    ask('9007199254740992')
    await until(() => sent.length === 1)
    expect(sent[0]).toContain('"error"')
    ask('9007199254740993')
    await until(() => sent.length === 2)
    expect(sent[1]).toBe('{"jsonrpc":"2.0","id":7,"result":{"n":12345678901234567890}}')
    await close()
  })

  test('progress has the token of the new request, and is left out without one', async () => {
    const progress = (token: unknown) => ({
      method: 'notifications/progress',
      params: { progressToken: token, progress: 1 },
    })
    const lines: Line[] = [
      ['sent', call(1, 'f', {}, { _meta: { progressToken: 1 } })],
      ['sent', call(2, 'g', {}, { _meta: { progressToken: 2 } })],
      ['received', progress(1)],
      ['received', answer(2, 'g')],
      ['received', answer(1, 'f')],
    ]
    const { receive, close } = await replay(lines, { cycle: true })
    expect(await receive(call(5, 'f', {}, { _meta: { progressToken: 'new' } }), 2)).toMatchObject([
      { params: { progressToken: 'new' } },
      { id: 5 },
    ])
    expect(await receive(call(6, 'f'))).toMatchObject([{ id: 6 }])
    expect(await receive(call(7, 'g', {}, { _meta: { progressToken: 'new' } }))).toMatchObject([{ id: 7 }])
    await close()
  })

  test('a question waits for the answer of the client', async () => {
    const { receive, close } = await replay([
      ['sent', call(1, 'f')],
      ['received', { id: 'q', method: 'elicitation/create', params: { message: 'Who?' } }],
      ['sent', { id: 'q', result: { action: 'accept' } }],
      ['received', answer(1, 'done')],
    ])
    expect(await receive(call(5, 'f'))).toMatchObject([{ id: 'q', method: 'elicitation/create' }])
    expect(await receive({ id: 'q', result: { action: 'decline' } })).toMatchObject([{ id: 5 }])
    await close()
  })

  test('what a server sends while nothing runs follows the answer before it', async () => {
    const { receive, close } = await replay([
      ['sent', call(1, 'f')],
      ['received', answer(1, 'done')],
      ['received', { method: 'notifications/tools/list_changed' }],
    ])
    expect(await receive(call(5, 'f'), 2)).toMatchObject([
      { id: 5 },
      { method: 'notifications/tools/list_changed' },
    ])
    await close()
  })

  test('each page of a list is answered by its cursor, and repeats', async () => {
    const list = (id: number, cursor?: string) => ({
      id,
      method: 'tools/list',
      params: cursor === undefined ? {} : { cursor },
    })
    const { receive, close } = await replay([
      ['sent', list(1)],
      ['received', { id: 1, result: { tools: [{ name: 'a' }], nextCursor: 'p2' } }],
      ['sent', list(2, 'p2')],
      ['received', { id: 2, result: { tools: [{ name: 'b' }] } }],
    ])
    for (const round of [1, 2]) {
      expect(textOf(await receive(list(round * 10)))).toContain('"a"')
      expect(textOf(await receive(list(round * 10 + 1, 'p2')))).toContain('"b"')
    }
    await close()
  })

  test('a masked text of the recording equals every text', async () => {
    const { receive, close } = await replay([
      ['sent', call(1, 'f', { token: '•••', n: 1 })],
      ['received', answer(1, 'done')],
    ])
    expect(textOf(await receive(call(2, 'f', { token: 'secret', n: 2 })))).toContain('error')
    expect(textOf(await receive(call(3, 'f', { token: 'secret', n: 1 })))).toContain('done')
    await close()
  })

  test('a call with a masked text is answered by the one whose other characters are equal', async () => {
    const recorded = [
      ['a', '•••'],
      ['b', 'https://b.example/?token=•••'],
      ['c', 'https://b.example/c?token=•••'],
    ] as const
    // More calls of the tool than the search of the nearest one reads.
    const before = Array.from({ length: 300 }, (_, at) => ['plain', `text ${at}`] as const)
    const lines = [...before, ...recorded].flatMap(([name, url], at) => [
      ['sent', call(at, 'f', { url })] as const,
      ['received', answer(at, name)] as const,
    ])
    const { receive, close } = await replay(lines)
    const answerOf = async (url: string) => textOf(await receive(call(1000, 'f', { url })))
    expect(await answerOf('https://b.example/c?token=x')).toContain('"c"')
    expect(await answerOf('https://b.example/?token=x')).toContain('"b"')
    expect(await answerOf('https://other.example/')).toContain('"a"')
    await close()
  })

  test('delays follow the speed, and cancelling ends them', async () => {
    const { receive, connection, close } = await replay(
      [
        ['sent', call(1, 'f'), 1],
        ['received', answer(1, 'done'), 3_600_001],
        ['sent', call(2, 'g'), 3_600_002],
        ['received', answer(2, 'g'), 3_600_400],
      ],
      { speed: 10 },
    )
    connection.receive(JSON.stringify({ jsonrpc: '2.0', ...call(5, 'f') }), { send: () => expect.fail() })
    await new Promise(resolve => setImmediate(resolve))
    connection.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}', {
      send: () => expect.fail(),
    })
    const started = performance.now()
    expect(await receive(call(6, 'g'))).toMatchObject([{ id: 6 }])
    expect(performance.now() - started).toBeGreaterThan(35)
    await connection.drain()
    await close()
  })

  test('a request without an answer, or with half of one, ends with an error', async () => {
    const { receive, close } = await replay([['sent', call(1, 'f')]])
    expect(textOf(await receive(call(2, 'f')))).toContain('ended before the answer')
    await close()
  })

  test('a handshake that was not recorded follows from the line of the source', async () => {
    const { receive, close } = await replay(twice)
    expect(await receive({ id: 1, method: 'initialize', params: {} })).toMatchObject([
      { result: { protocolVersion: '2025-11-25', serverInfo: { name: 'recording' } } },
    ])
    expect(await receive({ id: 2, method: 'tools/list' })).toMatchObject([
      { result: { tools: [{ name: 'f', inputSchema: { type: 'object' } }] } },
    ])
    await close()
  })

  test('a list that the recorded client did not ask for is empty', async () => {
    const { receive, close } = await replay(twice)
    for (const [method, key] of [
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const)
      expect(await receive({ id: 1, method })).toMatchObject([{ result: { [key]: [] } }])
    await close()
  })
})
