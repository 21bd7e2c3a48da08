/** The example against another reader of such trees: what it lists and answers is what Toolscope does. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isObject } from '../../core/json/json.ts'
import { readManifest } from '../../core/manifest/read-manifest.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const reader = createRequire(import.meta.url).resolve('mcp-llm-functions')

/** mcp-llm-functions serves a tree over MCP: one JSON message a line. */
function serve(...words: string[]) {
  const child = spawn(process.execPath, [reader, root, ...words], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => {
    child.kill()
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  return async (method: string, params: object) => {
    id += 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const { value } = await lines.next()
    const answer: unknown = JSON.parse(String(value))
    if (!isObject(answer) || !isObject(answer.result)) throw new Error(`no result: ${value}`)
    return answer.result
  }
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '0' },
}

test('functions example: the tools are listed and answer', async () => {
  const ask = serve()
  await ask('initialize', initialize)
  const { tools } = readManifest(await ask('tools/list', {}))
  expect(tools.map(tool => tool.name)).toEqual(['convert_units', 'word_stats', 'largest_files'])
  for (const [name, input, expected] of [
    ['convert_units', { amount: 1, from: 'mi', to: 'm' }, '"amount": 1609.344'],
    ['word_stats', { text: 'to be or not to be', top: 1 }, '"words": 6'],
    ['largest_files', { folder: `${root}agents`, limit: 1 }, 'agents/garden/'],
  ] as const)
    expect(await ask('tools/call', { name, arguments: input })).toEqual({
      content: [{ type: 'text', text: expect.stringContaining(expected) }],
    })
})

test('functions example: the agent lists its own tools and the shared one', async () => {
  const ask = serve('garden')
  await ask('initialize', initialize)
  const { tools } = readManifest(await ask('tools/list', {}))
  expect(tools.map(tool => tool.name)).toEqual([
    'add_plant',
    'list_plants',
    'water_bed',
    'clear_garden',
    'convert_units',
  ])
  const { content } = await ask('tools/call', { name: 'list_plants', arguments: { bed: 99 } })
  expect(content).toEqual([{ type: 'text', text: '[]' }])
})
