import { describe, expect, test } from 'vitest'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { maskEntry, unmaskEntry } from './mask-entry.ts'

const env = { API_KEY: 'secret-of-the-program' }
const headers = { 'X-Key': 'secret-of-the-server' }
const url = 'https://one.example/mcp'

describe('unmaskEntry', () => {
  test.each<[string, SourceEntry, Partial<SourceEntry>]>([
    ['a limit', { line: 'node a.mjs', environment: env }, { timeoutMs: 5_000 }],
    ['spaces', { line: 'node  a.mjs', environment: env }, { line: 'node a.mjs' }],
    [
      'words instead of a line',
      { line: 'node a.mjs', environment: env },
      { line: undefined, command: ['node', 'a.mjs'] },
    ],
    ['a path', { url, headers }, { url: 'https://one.example/other' }],
    ['the case of a host', { line: `mcp:${url}`, headers }, { line: 'https://ONE.example/mcp' }],
    [
      'a redirect',
      { mcp: { url, headers } },
      { mcp: { url, headers: { 'X-Key': '•••' }, redirects: 'any-host' } },
    ],
  ])('unmaskEntry: keeps a masked secret next to a change of %s', (_, kept, change) => {
    const { environment, headers: filled, mcp } = unmaskEntry({ ...maskEntry(kept), ...change }, kept)
    expect(environment ?? filled ?? mcp).toEqual(
      kept.environment ?? kept.headers ?? { ...kept.mcp, redirects: 'any-host' },
    )
  })

  test.each<[string, SourceEntry, Partial<SourceEntry>]>([
    ['program', { line: 'node a.mjs', environment: env }, { line: 'node b.mjs' }],
    [
      'argument',
      { command: ['node', 'a.mjs'], environment: env },
      { command: ['node', 'a.mjs', '--to=elsewhere'] },
    ],
    ['folder', { line: 'node a.mjs', environment: env }, { directory: 'other' }],
    ['directory of functions', { functions: 'a', environment: env }, { functions: 'b' }],
    ['host', { url, headers }, { url: 'https://two.example/mcp' }],
    ['port', { line: url, headers }, { line: 'https://one.example:8443/mcp' }],
    ['scheme', { url, headers }, { url: 'http://one.example/mcp' }],
    ['user name in front of another host', { url, headers }, { url: 'https://one.example@two.example/mcp' }],
    ['kind of source', { line: url, headers }, { line: `node a.mjs ${url}` }],
    [
      'host of a server',
      { mcp: { url, headers } },
      { mcp: { url: 'https://two.example', headers: { 'X-Key': '•••' } } },
    ],
    [
      'command of a server',
      { mcp: { command: ['a'], env } },
      { mcp: { command: ['b'], env: { API_KEY: '•••' } } },
    ],
  ])('unmaskEntry: refuses a masked secret next to another %s', (_, kept, change) => {
    expect(() => unmaskEntry({ ...maskEntry(kept), ...change }, kept)).toThrow(
      '••• replaces a secret of another command or address',
    )
  })
})
