import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../core/errors.ts'
import { loadConfig, parseConfig } from './config.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolscope-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const refusal = (text: string) => {
  try {
    parseConfig(text, 'toolscope.json')
    return 'accepted'
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.detail : `${thrown}`
  }
}

describe('toolscope.json', () => {
  it('is found in a parent folder and may contain comments and trailing commas', () => {
    const text =
      '{ // mine\n "sources": { "m": { "manifest": "m.json", "timeoutMs": 500, }, }, "lint": { "clients": ["mcp", "vscode"] } }'
    writeFileSync(join(folder, 'toolscope.json'), text)
    const below = join(folder, 'a', 'b')
    mkdirSync(below, { recursive: true })
    const config = loadConfig(below)
    expect(config.path).toBe(join(folder, 'toolscope.json'))
    expect(config.directory).toBe(folder)
    expect(config.lintClients).toEqual(['mcp', 'vscode'])
    expect(config.entries.map(({ spec: { kind, settings } }) => [kind, settings])).toEqual([
      ['manifest-file', { name: 'm', timeoutMs: 500 }],
    ])
  })

  it('may be missing, unless it is named', () => {
    expect(loadConfig(folder)).toMatchObject({ entries: [], lintClients: ['mcp'] })
    expect(() => loadConfig(folder, 'other.json')).toThrow(AppError)
  })

  it('is rejected with the line of a key that is there twice', () => {
    expect(refusal('{\n"pin": {"new": "block"},\n"sources": {},\n"\\u0070in": {}\n}')).toBe(
      'toolscope.json:4: the key "pin" is there twice',
    )
    expect(refusal('{"pin": {"new": "block", /* no */ "new": "allow"}}')).toContain('the key "new"')
  })

  it('rejects a source called __proto__', () => {
    expect(refusal('{"sources": {"__proto__": {"manifest": "m.json"}}}')).toContain(
      'no source can be called "__proto__"',
    )
  })

  it('is rejected with the location of a mistake and the key that was probably meant', () => {
    expect(refusal('{ "sourcs": {} }')).toContain('unknown key "sourcs"; did you mean "sources"?')
    expect(refusal('{ "sources": { "a": { "comand": ["a"] } } }')).toContain('did you mean "command"?')
    expect(refusal('{ "sources": { "a": { "command": ["a"], "flags": { "inputs": "--x" } } } }')).toContain(
      'did you mean "input"?',
    )
    expect(refusal('{ "sources": { "a": {} } }')).toContain('exactly one of "command", "manifest"')
    expect(refusal('{\n  "sources": {\n    "a" }\n}')).toMatch(/^toolscope\.json:3: /)
    expect(refusal('{ "sources": { "a/b": { "command": ["a"] } } }')).toContain('a/b')
  })

  it.each([
    [
      '["node", "server.js"]',
      'at sources.a.mcp: must be one of {"command": ["npx", "-y", "some-server"]}, {"url": "https://…"}',
    ],
    ['{ "command": "npx", "args": ["-y"] }', 'at sources.a.mcp: must be one of {"command": ["npx"'],
    [
      '{ "command": ["npx"], "args": ["-y"] }',
      'at sources.a.mcp: unknown key "args"; known are command, env, url',
    ],
    ['{ "command": "npx" }', 'at sources.a.mcp.command: Invalid input: expected array, received string'],
    [
      '{ "url": "https://a.test", "header": {} }',
      'at sources.a.mcp: unknown key "header"; did you mean "headers"?',
    ],
    ['{ "url": "https://a.test", "signIn": { "scope": "" } }', 'at sources.a.mcp.signIn.scope: Too small'],
  ])('is rejected with the accepted forms if an MCP entry is %s', (server, words) => {
    expect(refusal(`{ "sources": { "a": { "mcp": ${server} } } }`)).toContain(words)
  })

  it.each(['{ "command": "node", "args": ["server.js"] }', '{ "url": "https://a.test/mcp" }'])(
    'is rejected with the form of an MCP server if a source is %s',
    source => {
      expect(refusal(`{ "sources": { "a": ${source} } }`)).toContain('an MCP server is {"mcp": {"command": [')
    },
  )

  it('is rejected with a hint to mcp.json when it contains "mcpServers"', () => {
    expect(refusal('{ "mcpServers": {} }')).toContain(
      'unknown key "mcpServers": this is an mcp.json; name the file as a source',
    )
  })
})
