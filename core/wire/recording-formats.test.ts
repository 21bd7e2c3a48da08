import { describe, expect, test } from 'vitest'
import type { RecordedMessage, RecordingLine } from './recording.ts'
import { toHar, toOtlp } from './recording-formats.ts'

const header: RecordingLine = {
  type: 'header',
  toolrec: 1,
  startedAt: '2026-11-24T10:00:00.000Z',
  by: 'toolscope tap',
  version: '0.1.0',
}
const source: RecordingLine = {
  type: 'source',
  source: 0,
  name: 'acme',
  label: 'https://acme.example/mcp',
  kind: 'mcp-server',
  transport: 'http',
  protocol: '2025-11-25',
}
const at = (seq: number, fields: Partial<RecordedMessage>): RecordedMessage => ({
  type: 'message',
  source: 0,
  seq,
  atMs: seq * 10,
  direction: 'received',
  part: 'message',
  text: '',
  bytes: new TextEncoder().encode(fields.text ?? '').length,
  ...fields,
})
const post = (seq: number, exchange: number, text: string) =>
  at(seq, {
    direction: 'sent',
    part: 'request',
    exchange,
    text,
    http: {
      method: 'POST',
      url: 'https://acme.example/mcp?a=1&b',
      headers: { 'content-type': 'application/json' },
    },
  })
const answer = (seq: number, exchange: number, contentType: string, text = '') =>
  at(seq, {
    part: 'response',
    exchange,
    text,
    http: { status: 200, headers: { 'content-type': contentType } },
  })
const call = (id: number, name: string, meta: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, _meta: meta } })
const result = (id: number, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value })

async function read(pieces: AsyncIterable<string>): Promise<unknown> {
  let text = ''
  for await (const piece of pieces) text += piece
  return JSON.parse(text)
}

describe('HAR', () => {
  test('each exchange is an entry with its body, and a stream has its events as body', async () => {
    const har = await read(
      toHar([
        header,
        source,
        post(1, 1, call(1, 'echo')),
        post(2, 2, call(2, 'slow')),
        answer(3, 1, 'application/json', result(1, { content: [] })),
        answer(4, 2, 'text/event-stream'),
        at(5, { part: 'event', exchange: 2, text: result(2, {}) }),
        post(6, 3, call(3, 'lost')),
      ]),
    )
    expect(har).toMatchObject({
      log: {
        version: '1.2',
        creator: { name: 'toolscope', version: '0.1.0' },
        entries: [
          {
            startedDateTime: '2026-11-24T10:00:00.010Z',
            time: 20,
            request: {
              method: 'POST',
              queryString: [
                { name: 'a', value: '1' },
                { name: 'b', value: '' },
              ],
              postData: { mimeType: 'application/json', text: call(1, 'echo') },
            },
            response: { status: 200, content: { text: result(1, { content: [] }) } },
            timings: { send: 0, wait: 20, receive: 0 },
          },
          {
            time: 30,
            response: { content: { text: `data: ${result(2, {})}\n\n` } },
            timings: { wait: 20, receive: 10 },
          },
          { response: { status: 0 } },
        ],
      },
    })
  })
})

describe('OTLP', () => {
  test('each request is a span with the conventions of MCP, its failure and the trace of its caller', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const otlp = await read(
      toOtlp([
        header,
        source,
        post(1, 1, call(1, 'echo', { traceparent })),
        answer(3, 1, 'application/json', result(1, { content: [], isError: true })),
        post(4, 2, call(2, 'nope')),
        answer(
          5,
          2,
          'application/json',
          '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"unknown"}}',
        ),
        at(6, {
          direction: 'sent',
          part: 'start',
          exchange: 3,
          text: '{}',
          run: { tool: 'api greet', argv: ['acme'] },
        }),
        at(7, { part: 'end', exchange: 3, run: { exitCode: 0 } }),
      ]),
    )
    const span = (name: string, more: object) => ({ name, ...more })
    expect(otlp).toMatchObject({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                span('tools/call echo', {
                  traceId: 'a'.repeat(32),
                  parentSpanId: 'b'.repeat(16),
                  spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
                  kind: 3,
                  startTimeUnixNano: '1795514400010000000',
                  endTimeUnixNano: '1795514400030000000',
                  status: { code: 2 },
                }),
                span('tools/call nope', {
                  attributes: expect.arrayContaining([
                    { key: 'mcp.method.name', value: { stringValue: 'tools/call' } },
                    { key: 'gen_ai.tool.name', value: { stringValue: 'nope' } },
                    { key: 'error.type', value: { stringValue: '-32602' } },
                  ]),
                  status: { code: 2, message: 'unknown' },
                }),
                span('run api greet', {
                  traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
                  attributes: expect.arrayContaining([
                    { key: 'process.exit.code', value: { intValue: '0' } },
                  ]),
                  status: {},
                }),
              ],
            },
          ],
        },
      ],
    })
  })
})
