import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hostileSchemas } from '../core/schema/hostile-schemas.testkit.ts'
import { project } from '../scripts/project.mjs'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** The longest time that a request may wait for another request's schema. */
const maxTurnMs = 100

const folder = mkdtempSync(join(tmpdir(), 'toolscope-main-thread-'))
const schemas = hostileSchemas()
const manifest = (name: string) => {
  const inputSchema = schemas[name]
  if (inputSchema === undefined) throw new Error(`there is no schema "${name}"`)
  return JSON.stringify({ tools: [{ name: 'big', inputSchema }] })
}
const write = (file: string, name: string) => writeFileSync(join(folder, file), manifest(name))
let toolscope: Running

beforeAll(async () => {
  write('strings.json', 'an enum of 30,000')
  write('others.json', 'an enum of 30,000 other values')
  write('new.json', 'an enum of 30,000, one of them new')
  write('objects.json', 'an enum of 30,000 objects')
  write('numbers.json', 'an enum of 30,000 numbers')
  writeFileSync(
    join(folder, 'callable.cjs'),
    `#!/usr/bin/env node
process.stdout.write(process.argv.includes('--llms') ? ${JSON.stringify(manifest('an enum of 30,000'))} : '{"value":"none"}')\n`,
  )
  chmodSync(join(folder, 'callable.cjs'), 0o755)
  const sources = [
    'strings.json',
    'others.json',
    'new.json',
    'objects.json',
    'numbers.json',
    './callable.cjs',
  ]
  toolscope = await startToolscope(sources, folder, {
    TOOLSCOPE_DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: `--import ${pathToFileURL(project('server/testing/loop-turns.mjs'))}`,
  })
  await vi.waitFor(async () => {
    const { tools } = (await (await toolscope.request('/api/tools')).json()) as { tools: unknown[] }
    expect(tools).toHaveLength(sources.length)
  }, 30_000)
})
afterAll(async () => {
  await toolscope?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The longest turn since it was asked last, in milliseconds. */
async function longestTurn(): Promise<number> {
  const turns = () => toolscope.stderr().match(/(?<=^longest turn: )\S+$/gm) ?? []
  const before = turns().length
  toolscope.process.kill('SIGUSR2')
  await vi.waitFor(() => expect(turns().length).toBeGreaterThan(before), { timeout: 20_000, interval: 10 })
  return Number(turns().at(-1))
}

async function ask(path: string, body?: unknown): Promise<string> {
  const response = await toolscope.request(path, body)
  const text = await response.text()
  expect(response.status, text.slice(0, 300)).toBeLessThan(300)
  return text
}

const compare = (a: string, b: string) => () => ask(`/api/diff?a=${a}&b=${b}`)

const large = { value: 'none' }

/** In this order: the first prompt loads what it needs. */
const requests: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the first prompt', () => ask('/api/prompt', { sources: ['objects'] })],
  ['a prompt in JSON', () => ask('/api/prompt', { format: 'mcp' })],
  ['a prompt whole', () => ask('/api/prompt/text', { sources: ['objects'], format: 'mcp' })],
  ['checks for clients', () => ask('/api/lint', {})],
  ['a comparison with other values', compare('strings', 'others')],
  ['a comparison with one value new', compare('strings', 'new')],
  ['a comparison of objects with numbers', compare('objects', 'numbers')],
  ['a tool opened', () => ask('/api/tools/objects%2Fbig')],
  ['an input validated', () => ask('/api/validate', { ref: 'strings/big', inputText: '{"value":"none"}' })],
  ['a call', () => ask('/api/invocations', { ref: 'callable/big', input: large })],
  ['a command of the console', () => ask('/api/commands/help', { name: 'help', words: ['strings', 'big'] })],
  [
    'a source opened',
    () => ask('/api/manifests', { name: 'more.json', text: manifest('an enum of 30,000 objects') }),
  ],
  [
    'a version that changed',
    async () => {
      write('strings.json', 'an enum of 30,000 other values')
      await vi.waitFor(
        async () => expect(await ask('/api/sources/strings/versions')).toContain('strings@2'),
        20_000,
      )
    },
  ],
]

describe.skipIf(process.platform === 'win32')('main thread', () => {
  test.each(requests)('is not blocked over 100 ms by %s of an enum of 30,000', async (asked, act) => {
    await longestTurn()
    await act()
    const turn = await longestTurn()
    console.log(`${asked}: longest turn ${turn} ms`)
    expect(turn).toBeLessThan(maxTurnMs)
  })
})
