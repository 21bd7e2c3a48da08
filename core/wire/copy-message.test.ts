import { describe, expect, it } from 'vitest'
import { copyAsCommand, copyAsCurl, copyAsLine } from './copy-message.ts'
import type { WireMessage } from './wire-message.ts'

const message = (more: Partial<WireMessage>): WireMessage => ({
  seq: 1,
  atMs: 0,
  direction: 'sent',
  part: 'message',
  text: '',
  bytes: 0,
  ...more,
})

describe('copyAsCurl', () => {
  it('writes method, address, headers and body, quoted, without the headers of the connection', () => {
    const http = {
      method: 'POST',
      url: 'http://h/mcp?a=1&b=2',
      headers: { Host: 'h', 'Content-Length': '9', Authorization: 'Bearer •••' },
    }
    expect(copyAsCurl(message({ part: 'request', text: `{"a":"it's"}`, http }))).toBe(
      [
        `curl -sS -N -X POST 'http://h/mcp?a=1&b=2'`,
        `  -H 'Authorization: Bearer •••'`,
        `  --data-raw '{"a":"it'\\''s"}'`,
      ].join(' \\\n'),
    )
  })

  it('has no body for a GET, and returns undefined for what is not an HTTP request', () => {
    expect(copyAsCurl(message({ part: 'request', http: { method: 'GET', url: 'http://h/' } }))).toBe(
      'curl -sS -N -X GET http://h/',
    )
    expect(copyAsCurl(message({ text: '{}' }))).toBeUndefined()
  })
})

describe('copyAsCommand', () => {
  it('sets the variables and the directory of the run', () => {
    const run = { argv: ['node', 'my tool.js'], environment: { A: 'x y' }, directory: '/tmp/a b' }
    expect(copyAsCommand(message({ part: 'start', run }))).toBe(
      `cd '/tmp/a b' && env 'A=x y' node 'my tool.js'`,
    )
    expect(copyAsCommand(message({}))).toBeUndefined()
  })
})

describe('copyAsLine', () => {
  it('removes the white space between tokens and keeps it in texts, and the digits of numbers', () => {
    const text = '{ "jsonrpc": "2.0",\n "id": 12345678901234567890, "method": "a b \\" c" }'
    expect(copyAsLine({ text })).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"method":"a b \\" c"}')
    expect(copyAsLine({ text: 'hello' })).toBeUndefined()
  })
})
