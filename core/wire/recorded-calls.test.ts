import { describe, expect, test } from 'vitest'
import { readRecordedCalls } from './recorded-calls.ts'
import type { WireMessage } from './wire-message.ts'

const at = (seq: number, fields: Partial<WireMessage>): WireMessage => ({
  seq,
  atMs: seq * 10,
  direction: 'sent',
  part: 'message',
  text: '',
  bytes: 0,
  ...fields,
})
const call = (id: unknown, name: string, input: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`

describe('recorded calls', () => {
  test('an MCP call has its exact input and the answer of its id', () => {
    const calls = readRecordedCalls([
      at(1, { text: call(1, 'add', '{"a":9007199254740993}') }),
      at(2, { text: call('1', 'echo', '{}') }),
      at(3, {
        direction: 'received',
        text: '{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}',
      }),
      at(4, { direction: 'received', text: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}' }),
    ])
    expect(calls).toEqual([
      {
        tool: 'add',
        inputText: '{"a":9007199254740993}',
        seq: 1,
        atMs: 10,
        callId: undefined,
        answer: { seq: 4, durationMs: 30, text: '{"content":[]}' },
      },
      {
        tool: 'echo',
        inputText: '{}',
        seq: 2,
        atMs: 20,
        callId: undefined,
        answer: { seq: 3, durationMs: 10, text: '{"code":-32602,"message":"no"}', isProtocolError: true },
      },
    ])
  })

  test('a call over HTTP pairs within its exchange', () => {
    const calls = readRecordedCalls([
      at(1, { part: 'request', exchange: 1, text: call(0, 'a', '{}') }),
      at(2, { part: 'request', exchange: 2, text: call(0, 'b', '{}') }),
      at(3, {
        direction: 'received',
        part: 'event',
        exchange: 2,
        text: '{"jsonrpc":"2.0","id":0,"result":{"n":2}}',
      }),
      at(4, {
        direction: 'received',
        part: 'response',
        exchange: 1,
        text: '{"jsonrpc":"2.0","id":0,"result":{"n":1}}',
      }),
    ])
    expect(calls.map(({ tool, answer }) => [tool, answer?.text])).toEqual([
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ])
  })

  test('a run has its output, a bridge its body, and a call without an end has no answer', () => {
    const calls = readRecordedCalls([
      at(1, {
        part: 'start',
        exchange: 1,
        text: '{"who":"ada"}',
        run: { argv: ['acme'], tool: 'api greet' },
      }),
      at(2, {
        part: 'request',
        exchange: 2,
        text: '',
        http: { method: 'POST', url: 'http://h/tools/a%20b' },
      }),
      at(3, { direction: 'received', part: 'stdout', exchange: 1, text: '{"hi":' }),
      at(4, { direction: 'received', part: 'stdout', exchange: 1, text: '1}' }),
      at(5, { direction: 'received', part: 'end', exchange: 1, run: { exitCode: 0 } }),
      at(6, { part: 'start', exchange: 3, text: '{}', run: { argv: ['acme'], tool: 'status' } }),
      at(7, { direction: 'received', part: 'response', exchange: 2, text: 'done', http: { status: 200 } }),
    ])
    expect(
      calls.map(({ tool, inputText, answer }) => [tool, inputText, answer?.text, answer?.exitCode]),
    ).toEqual([
      ['api greet', '{"who":"ada"}', '{"hi":1}', 0],
      ['a b', '{}', 'done', undefined],
      ['status', '{}', undefined, undefined],
    ])
  })
})
