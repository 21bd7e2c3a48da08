/** What asks before a call, as a user of the built program meets it: on a terminal, without one, and as an MCP server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { program, type Run, runToolscope } from '../../scripts/toolscope-program.ts'
import { entry, makeTree } from '../llm-functions/testkit.ts'
import { resolveInRepository } from '../sources/testkit.ts'

const runs = '#!/usr/bin/env bash\necho "$0" >> "$LLM_ROOT/ran"\necho done > "$LLM_OUTPUT"\n'
const guarded = (question: string) => `# @describe It
# "$ROOT_DIR/utils/guard_operation.sh" "in a comment"
main() {
    "$ROOT_DIR/utils/guard_operation.sh" ${question}
}
`
const agentTools = `# @cmd
peel() {
    true
}
# @cmd
clear_all() {
    "$ROOT_DIR/utils/guard_operation.sh" "Clear it all?"
}
`

let root: string
let folder: string
let bridge: ChildProcess
let port: string
const environment = () => ({ LLM_ROOT: root, MCP_BRIDGE_PORT: port, LLM_MCP_NEED_CONFIRM: 'wipe|web_.*' })
const hasRun = () => existsSync(join(root, 'ran')) && readFileSync(join(root, 'ran'), 'utf8') !== ''

beforeAll(async () => {
  const quirks = {
    command: process.execPath,
    args: [resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')],
  }
  folder = mkdtempSync(join(tmpdir(), 'toolscope-confirm-'))
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { web: quirks } }))
  bridge = spawn(process.execPath, [program, 'bridge', join(folder, 'mcp.json'), '--port', '0'])
  port = await new Promise<string>((resolve, reject) => {
    bridge.once('exit', () => reject(new Error('the bridge ended')))
    bridge.stdout?.on('data', chunk => {
      const found = /:(\d+)\b/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
})

afterAll(async () => {
  const hasEnded = once(bridge, 'exit')
  bridge.kill('SIGTERM')
  await hasEnded
  rmSync(folder, { recursive: true })
})

beforeEach(() => {
  root = makeTree({
    'functions.json': [
      ...['wipe', 'wipe_not', 'asks', 'asks_of'].map(name => entry(name, { path: {} })),
      entry('web_echo', { message: {} }, { mcp: 'web' }),
    ],
    'agents/a/functions.json': ['peel', 'clear_all'].map(name => entry(name, {}, { agent: true })),
    'agents/a/tools.sh': agentTools,
    'tools/asks.sh': guarded(''),
    'tools/asks_of.sh': guarded(`"Remove '$argc_path'?"`),
    ...Object.fromEntries(['wipe', 'wipe_not', 'asks', 'asks_of', 'a'].map(name => [`bin/${name}`, runs])),
  })
})

const call = (tool: string, ...more: string[]) =>
  runToolscope(['call', tool, root, ...more], { environment: environment() })

/** Runs the program on a terminal of its own and types `answer` when it asks. */
function onTerminal(args: readonly string[], answer: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const line = [process.execPath, program, ...args]
      .map(word => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ')
    const child = spawn('script', ['-qefc', line, '/dev/null'], { env: { ...process.env, ...environment() } })
    let stdout = ''
    let isAnswered = false
    child.stdout.on('data', chunk => {
      stdout += chunk
      if (isAnswered || !stdout.includes('[y/N]')) return
      isAnswered = true
      child.stdin.write(`${answer}\n`)
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr: '' }))
  })
}

describe('toolscope call of a tool in LLM_MCP_NEED_CONFIRM', () => {
  it('refuses without a terminal, unless --yes is given; other tools run', async () => {
    const refused = await call('wipe')
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('LLM_MCP_NEED_CONFIRM'),
    })
    expect(refused.stderr).toContain('--yes')
    expect(hasRun()).toBe(false)
    expect(await call('wipe_not')).toMatchObject({ code: 0 })
    expect(await call('wipe', '--yes')).toMatchObject({ code: 0 })
  })

  it('asks on a terminal and follows the answer', async () => {
    const no = await onTerminal(['call', 'wipe', root], 'n')
    expect(no).toMatchObject({ code: 2, stdout: expect.stringContaining('LLM_MCP_NEED_CONFIRM asks before') })
    expect(hasRun()).toBe(false)
    expect(await onTerminal(['call', 'wipe', root], 'y')).toMatchObject({ code: 0 })
    expect(hasRun()).toBe(true)
  })

  it('follows the rule of a merged tree when the bridge itself shows the tool', async () => {
    const sources = [root, `bridge:http://127.0.0.1:${port}`]
    const echo = (...more: string[]) => echoBy('web_echo', ...more)
    const echoBy = (name: string, ...more: string[]) =>
      runToolscope(['call', name, ...sources, '--input', '{"message":"x"}', ...more], {
        environment: environment(),
      })
    expect(await echo()).toMatchObject({ code: 2, stderr: expect.stringContaining('LLM_MCP_NEED_CONFIRM') })
    expect(await echoBy(`127.0.0.1:${port}/web_echo`)).toMatchObject({ code: 2 })
    expect(await echo('--yes')).toMatchObject({ code: 0 })
    const script = join(root, 'script.sh')
    writeFileSync(script, 'web_echo --message x\n')
    const run = await runToolscope(['script', script, ...sources], { environment: environment() })
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('web_echo') })
  })
})

describe('toolscope call of a program that asks first', () => {
  it('asks on a terminal with the question of the program', async () => {
    const input = ['--input', '{"path":"/tmp/x"}']
    const no = await onTerminal(['call', 'asks_of', root, ...input], 'n')
    expect(no).toMatchObject({ code: 2, stdout: expect.stringContaining("Remove '/tmp/x'?") })
    expect(hasRun()).toBe(false)
    expect(await onTerminal(['call', 'asks', root], 'y')).toMatchObject({ code: 0 })
    expect((await onTerminal(['call', 'a clear_all', root], 'n')).stdout).toContain('Clear it all?')
    expect((await onTerminal(['call', 'a peel', root], 'n')).code).toBe(0)
  })

  it('runs without a question when there is no terminal, like the original', async () => {
    expect(await call('asks')).toMatchObject({ code: 0 })
  })
})

it('toolscope mcp: refuses a tool in LLM_MCP_NEED_CONFIRM unless --allow-destructive is given', async () => {
  const connect = async (...more: string[]) => {
    const client = new Client({ name: 'test', version: '1' })
    const args = [program, 'mcp', root, ...more]
    const env = { PATH: process.env.PATH ?? '', ...environment() }
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    onTestFinished(() => client.close())
    return client
  }
  const careful = await connect()
  expect(await careful.callTool({ name: 'wipe', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('LLM_MCP_NEED_CONFIRM') }],
  })
  expect(hasRun()).toBe(false)
  expect(await careful.callTool({ name: 'asks', arguments: {} })).toMatchObject({
    content: [{ text: 'done\n' }],
  })
  const free = await connect('--allow-destructive')
  expect(await free.callTool({ name: 'wipe', arguments: {} })).toMatchObject({
    content: [{ text: 'done\n' }],
  })
})
