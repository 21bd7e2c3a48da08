import { expect, it } from 'vitest'
import type { WireRow } from '../../../core/api/wire.ts'
import { failureWords, formatLatency, formatWireTime, previewText } from './wire-words.ts'

const row: WireRow = { seq: 1, atMs: 0, direction: 'received', part: 'message', bytes: 1, preview: '' }

it.each<[Partial<WireRow>, string | undefined]>([
  [{}, undefined],
  [{ isError: true, kind: 'error' }, 'error'],
  [{ isError: true, kind: 'result', tool: 'x' }, 'tool error'],
  [{ isError: true, part: 'response', status: 404 }, 'HTTP 404'],
  [{ isError: true, part: 'end', exitCode: 3 }, 'exit 3'],
  [{ isError: true, part: 'end' }, 'failed'],
])('failureWords: names the failure of %j', (more, words) => {
  expect(failureWords({ ...row, ...more })).toBe(words)
})

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', ''],
  ['{"method":"tools/call","params":{"name":"echo"},"jsonrpc":"2.0","id":2}', '{"name":"echo"}'],
  ['{"result":{"a":1},"jsonrpc":"2.0","id":"x"}', '{"a":1}'],
  ['{"result":{"a":[{"id":1}]},"jsonr', '{"a":[{"id":1}]}'],
  ['{"result":{"a":"}\\"","id":1', '{"a":"}\\"","id":1'],
  ['{"jsonrpc":"2.0","id":1e3,"error":{"code":-1}}', '{"code":-1}'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"more":1}', '{},"more":1}'],
])('previewText: leaves out what the columns say: %s', (preview, text) => {
  expect(previewText({ kind: 'request', preview })).toBe(text)
})

it('formatWireTime, formatLatency: seconds to the millisecond, and a latency with its unit', () => {
  expect(formatWireTime(1_234_567.8)).toBe('1,234.568')
  expect([0.42, 12.4, 3_210].map(formatLatency)).toEqual(['0.4 ms', '12 ms', '3.2 s'])
})
