import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { isTypedLine, recogniseLine } from './recognise-line.ts'

const context = (directory: string) => ({ directory, environment: { PATH: process.env.PATH } })

test.for([
  ['node started.mjs', 'program', 'started', 'A program: an MCP server, or one that answers --llms'],
  ['llms:node started.mjs', 'program', 'started', 'A program that answers --llms'],
  ['mcp:node started.mjs', 'program', 'started', 'A program that is an MCP server'],
  ['mcp: node started.mjs', 'program', 'started', 'A program that is an MCP server'],
  [
    '$ KEY=1 node \\\n  started.mjs',
    'program',
    'started',
    'A program: an MCP server, or one that answers --llms',
  ],
  ['claude mcp add shop -e KEY=1 -- node started.mjs', 'program', 'shop', /^A program/],
  ['localhost:3000', 'address', 'localhost:3000', 'An address of an MCP server, a bridge or a manifest'],
  ['mcp:https://example.com/x', 'address', 'example.com', 'The address of an MCP server'],
  ['bridge:http://localhost:8808', 'address', 'localhost:8808', 'The address of a bridge'],
  ['claude mcp add -t http docs https://example.com/mcp', 'address', 'docs', /^An address/],
  ['tree', 'program', 'tree', 'An llm-functions directory'],
  ['my tools.json', 'file', 'my tools', 'A manifest file'],
  ['mcp.json', 'servers', '', 'A file with 2 MCP servers'],
  ['mcp.json#one', 'program', 'one', 'An MCP server that a file names'],
] as const)(
  'recogniseLine: says what %s names, and starts nothing',
  async ([line, kind, name, about], { folder }) => {
    const mark = join(folder, 'it-ran')
    writeFileSync(join(folder, 'started.mjs'), `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`)
    writeFileSync(join(folder, 'my tools.json'), '{"tools": []}')
    const server = { command: 'node', args: ['started.mjs'] }
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { one: server, two: server } }))
    mkdirSync(join(folder, 'tree'))
    writeFileSync(join(folder, 'tree', 'functions.json'), '[]')
    expect(isTypedLine(line)).toBe(true)
    const found = await recogniseLine(line, context(folder))
    expect(found).toMatchObject({ line: kind, sources: [{ name, entry: { line: line.trim() } }] })
    expect(found.about).toMatch(about)
    expect(existsSync(mark)).toBe(false)
  },
)

test('recogniseLine: masks the secrets of what was typed', async ({ folder }) => {
  const { sources } = await recogniseLine('API_KEY=literal-secret node -e 1', context(folder))
  expect(sources[0]?.about).toBe('API_KEY=••• node -e 1')
})

test.for([
  ['no-such-program --port 1', 'source-not-found'],
  ['node "open', 'usage'],
  ['cut.mcp.json', 'config-invalid'],
] as const)('recogniseLine: says why it does not recognise %s', async ([line, code], { folder }) => {
  writeFileSync(join(folder, 'cut.mcp.json'), '{"mcpServers": {"a": {"command": "true"')
  await expect(recogniseLine(line, context(folder))).rejects.toMatchObject({ code })
})

test('isTypedLine: tells JSON from a line', () => {
  const json = ['{"a": 1}', ' [1', '"memory": {}', '// a comment\n{', '/* a comment */ {', '\ufeff{']
  expect(json.filter(isTypedLine)).toEqual([])
  const lines = [
    '[::1]:3000',
    '/home/me/tools.json',
    '"C:/my tools/server.exe" run',
    '//server/share/m.json',
    '',
  ]
  expect(lines.filter(line => !isTypedLine(line))).toEqual([])
})

test('isTypedLine: reads any number of comments in time', () => {
  const comments = '/* a */\n'.repeat(40_000)
  expect(isTypedLine(`${comments}x`)).toBe(true)
  expect(isTypedLine(`${comments}{`)).toBe(false)
  expect(isTypedLine('/*'.repeat(40_000))).toBe(true)
})
