import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Running, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })

/**
 * Entries that spoil nothing but themselves, and a good one. JSON text: some are nested too deep to be written otherwise.
 */
const deep = (depth: number) => `${'{"properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`
const entries = (schemaKey: string, extra = '') =>
  [
    `"name":"deep","${schemaKey}":${deep(10_000)}`,
    `"name":"deep output","${schemaKey}":{"type":"object"},"outputSchema":${deep(10_000)}`,
    `"name":"deep extra","${schemaKey}":{"type":"object"},"_meta":${deep(10_000)}`,
    `"name":"wide","${schemaKey}":{"type":"object","properties":{"a":{"enum":${JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `value ${index}`))}}}}`,
    `"name":${JSON.stringify('n'.repeat(100_000))},"${schemaKey}":{"type":"object"}`,
    `"name":"two\\nlines\\u001b","${schemaKey}":{"type":"object"}`,
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(
      name => `"name":"${name}","${schemaKey}":{"type":"object","properties":{"${name}":{"type":"string"}}}`,
    ),
    `"name":"good","description":"Good","${schemaKey}":{"type":"object","properties":{"a":{"type":"string"}}}`,
  ].map(fields => `{${fields}${extra}}`)

const kinds = ['llms', 'functions', 'bridge', 'mcp', '__proto__'] as const

const folder = mkdtempSync(join(tmpdir(), 'toolscope-hostile-'))
let bridge: Server
let toolscope: Running

beforeAll(async () => {
  const manifest = (schemaKey: string, extra = '') => `[${entries(schemaKey, extra).join(',')}]`
  writeFileSync(join(folder, '__proto__.json'), `{"tools":${manifest('inputSchema')}}`)
  writeFileSync(join(folder, 'llms.json'), `{"tools":${manifest('inputSchema')}}`)
  const program = `#!/usr/bin/env node\nprocess.stdout.write(require('node:fs').readFileSync(${JSON.stringify(join(folder, 'llms.json'))}))\n`
  writeFileSync(join(folder, 'llms.cjs'), program)
  chmodSync(join(folder, 'llms.cjs'), 0o755)
  mkdirSync(join(folder, 'functions/bin'), { recursive: true })
  writeFileSync(join(folder, 'functions/functions.json'), manifest('parameters'))
  const mcp = `const tools = require('node:fs').readFileSync(${JSON.stringify(join(folder, 'llms.json'))}, 'utf8')
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  const result = method === 'initialize' ? JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: '__proto__', version: '1' } }) : tools
  if (id !== undefined) process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n')
})`
  writeFileSync(join(folder, 'mcp.cjs'), mcp)
  bridge = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(request.url?.startsWith('/tools') ? manifest('parameters', ',"mcp":"server"') : '{}')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => bridge.once('listening', resolve))
  const words = [
    './llms.cjs',
    'functions',
    `bridge:http://127.0.0.1:${(bridge.address() as AddressInfo).port}`,
    '__proto__.json',
    'mcp:node',
    '--',
    'mcp.cjs',
  ]
  toolscope = await startToolscope(words, folder, { TOOLSCOPE_DATA_DIR: join(folder, 'data') })
})
afterAll(async () => {
  await toolscope?.stop()
  bridge?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What an answer may not hold: a stack, or a path inside the program. */
const insides = /RangeError|TypeError|Maximum call stack| {4}at |node_modules|dist\/server|file:\/\//

async function get(path: string) {
  const response = await toolscope.request(path)
  const text = await response.text()
  expect(text.slice(0, 2_000_000)).not.toMatch(insides)
  return { status: response.status, body: JSON.parse(text) }
}

/** Once none of them is being opened. */
function openSources(): Promise<SourceState[]> {
  return vi.waitFor(
    async () => {
      const { sources } = (await get('/api/sources')).body as { readonly sources: SourceState[] }
      expect(sources.filter(({ toolCount }) => toolCount === 0)).toEqual([])
      return sources
    },
    { timeout: 60_000, interval: 200 },
  )
}

interface SourceState {
  readonly name: string
  readonly toolCount: number
  readonly problems: readonly { readonly message: string }[]
}

async function sourceNames(): Promise<string[]> {
  return (await openSources()).map(({ name }) => name)
}

describe('hostile manifests', () => {
  test('give each kind of source its good tools, and a problem for each bad entry', async () => {
    const names = await sourceNames()
    expect(names).toHaveLength(kinds.length)
    for (const { name, problems, toolCount } of await openSources()) {
      expect([name, toolCount]).toEqual([name, entries('x').length - 1])
      const messages = problems.map(({ message }) => message).join('\n')
      expect(messages).toMatch(/input schema is nested more than/)
      expect(messages).toMatch(/name is 100000 characters long/)
      expect(messages).toMatch(/line breaks or control characters/)
    }
  })

  test('give tools that are all answered by /api/tools', async () => {
    await openSources()
    const { body } = await get('/api/tools')
    const tools = body.tools as readonly { readonly ref: string }[]
    expect(tools.length).toBe(kinds.length * (entries('x').length - 1))
    for (const { ref } of tools)
      expect([ref, (await get(`/api/tools/${encodeURIComponent(ref)}`)).status]).toEqual([ref, 200])
  })

  test('give each source one version, and can be compared', async () => {
    const names = await sourceNames()
    for (const name of names) {
      const { status, body } = await get(`/api/sources/${encodeURIComponent(name)}/versions`)
      expect([name, status, body.versions?.length ?? body.snapshots?.length]).toEqual([name, 200, 1])
      const diff = await get(
        `/api/diff?a=${encodeURIComponent(name)}&b=${encodeURIComponent(names[0] ?? '')}`,
      )
      expect([name, diff.status]).toEqual([name, 200])
    }
    expect(toolscope.stderr()).not.toMatch(insides)
  })

  test.each([
    ['list', ['list', '__proto__.json', 'functions']],
    ['export', ['export', '--out', 'site', '__proto__.json', 'functions']],
    ['snapshot', ['snapshot', '__proto__.json', 'functions']],
    ['diff', ['diff', '__proto__.json', 'functions']],
    ['lint', ['lint', '__proto__.json', 'functions']],
    ['help', ['help', '--list', '__proto__.json', 'functions']],
  ])('do not stop toolscope %s', async (_, args) => {
    const run = await runToolscope(args, {
      directory: folder,
      environment: { TOOLSCOPE_DATA_DIR: join(folder, 'data2') },
    })
    expect([0, 5]).toContain(run.code)
    expect(run.stdout + run.stderr).not.toMatch(insides)
  })
})
