import { describe, expect, test } from 'vitest'
import type { WireMessage } from './wire-message.ts'
import { type WireFacts, WireIndex } from './wire-row.ts'

type Given = Partial<WireMessage> & Pick<WireMessage, 'text'>

function factsOf(messages: readonly Given[], index = new WireIndex()): readonly WireFacts[] {
  return messages.map((message, at) =>
    index.add({
      seq: at + 1,
      atMs: (at + 1) * 10,
      direction: 'received',
      part: 'message',
      bytes: 0,
      ...message,
    }),
  )
}
const request = (id: unknown, method = 'tools/call') =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'echo' } })
const result = (id: unknown, value: object = {}) => JSON.stringify({ jsonrpc: '2.0', id, result: value })

describe('wire index', () => {
  test('pairs answers with their requests, with latency, method, tool and call', () => {
    const facts = factsOf([
      { direction: 'sent', text: request(1), callId: 'c1' },
      { direction: 'sent', text: request('1') },
      {
        text: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
      },
      { text: result(1, { isError: true }) },
      { text: '{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}' },
    ])
    expect(facts[0]).toMatchObject({ kind: 'request', tool: 'echo', pairSeq: 4, latencyMs: 30, id: '1' })
    expect(facts[1]).toMatchObject({ pairSeq: 5, id: '"1"' })
    expect(facts[2]).toMatchObject({ kind: 'notification', callId: 'c1', tool: 'echo' })
    expect(facts[3]).toMatchObject({ method: 'tools/call', tool: 'echo', callId: 'c1', isError: true })
    expect(facts[4]).toMatchObject({ kind: 'error', pairSeq: 2, isError: true })
    expect(facts.flatMap(each => each.violations)).toEqual([])
  })

  test('requests of both sides with the same id are two', () => {
    const facts = factsOf([
      { direction: 'sent', text: request(1) },
      { direction: 'received', text: request(1, 'elicitation/create') },
      { direction: 'sent', text: result(1) },
      { direction: 'received', text: result(1) },
    ])
    expect(facts.map(each => each.pairSeq)).toEqual([4, 3, 2, 1])
  })

  test.each<[string, Given[], string | undefined]>([
    ['an unknown id', [{ text: result(7) }], 'unknown-id'],
    [
      'a second answer',
      [{ direction: 'sent', text: request(1) }, { text: result(1) }, { text: result(1) }],
      'second-answer',
    ],
    ['a line that is not JSON', [{ text: 'Server ready' }], 'not-json'],
    ['JSON that is not JSON-RPC', [{ text: '{"level":"info"}' }], 'invalid'],
    ['another version of JSON-RPC', [{ text: '{"jsonrpc":"1.0","method":"a"}' }], 'invalid'],
    ['an id that is null', [{ text: '{"jsonrpc":"2.0","id":null,"method":"ping"}' }], 'invalid'],
    ['an error without a code', [{ text: '{"jsonrpc":"2.0","id":null,"error":{}}' }], 'invalid'],
    [
      'the address of an old stream',
      [{ part: 'event', text: '/message?x', http: { event: 'endpoint' } }],
      undefined,
    ],
    [
      'a body that is no JSON',
      [
        {
          part: 'response',
          text: '<html>',
          http: { status: 200, headers: { 'Content-Type': 'application/json' } },
        },
      ],
      'not-json',
    ],
    ['a batch', [{ text: '[]' }], undefined],
  ])('finds %s', (_name, messages, code) => {
    expect(factsOf(messages).at(-1)?.violations[0]?.code).toBe(code)
  })

  test('does not report an unknown id after a gap', () => {
    const index = new WireIndex()
    index.skip()
    expect(factsOf([{ text: result(7) }], index)[0]?.violations).toEqual([])
  })

  test('reports what the schema of the method refuses', () => {
    const index = new WireIndex((rpc, method) => (rpc.kind === 'result' ? `${method}: refused` : undefined))
    const facts = factsOf([{ direction: 'sent', text: request(1) }, { text: result(1) }], index)
    expect(facts[1]?.violations).toEqual([{ code: 'invalid', message: 'tools/call: refused' }])
  })

  test('pairs within an exchange over HTTP, and the parts of a run', () => {
    const facts = factsOf([
      { direction: 'sent', part: 'request', exchange: 1, text: request(0) },
      { direction: 'sent', part: 'request', exchange: 2, text: request(0) },
      { part: 'response', exchange: 2, text: '', http: { status: 200 } },
      { part: 'event', exchange: 2, text: result(0) },
      { part: 'response', exchange: 1, text: result(0), http: { status: 500 } },
      { direction: 'sent', part: 'start', exchange: 3, text: '{}', run: { tool: 'greet' }, callId: 'c' },
      { part: 'end', exchange: 3, text: '', run: { exitCode: 1 } },
      {
        direction: 'sent',
        part: 'request',
        exchange: 4,
        text: '{}',
        http: { method: 'POST', url: 'http://h/tools/a%20b' },
      },
      { part: 'response', exchange: 4, text: 'done', http: { status: 404 } },
    ])
    expect(facts.map(each => each.pairSeq)).toEqual([5, 4, undefined, 2, 1, 7, 6, 9, 8])
    expect(facts[6]).toMatchObject({ tool: 'greet', callId: 'c', isError: true, latencyMs: 10 })
    expect(facts[8]).toMatchObject({ tool: 'a b', isError: true })
    expect(facts[4]?.isError).toBe(true)
  })
})
