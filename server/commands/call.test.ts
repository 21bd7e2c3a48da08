/** Which sources `toolscope call` needs before it calls. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exitCodes, toAppError } from '../../core/errors.ts'
import { skipReason } from '../checks/check-examples.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test as base } from '../testing/folder-test.ts'
import { callCommand } from './call.ts'
import type { CommandContext } from './command.ts'
import { scriptCommand } from './script.ts'
import { runCommandLine } from './testkit.ts'

/** The source `writer.cjs` keeps a file when its tool is called. `run` calls that tool. */
const test = base.extend<{
  run: (
    sources: string[],
    tool?: string,
    options?: object,
  ) => Promise<{ code: number; isCalled: boolean; hint: string }>
}>({
  run: async ({ folder }, use) => {
    const written = join(folder, 'written')
    const program = (name: string) => `if (process.argv.includes('--llms'))
        console.log(JSON.stringify({ tools: [{ name: '${name}', inputSchema: { type: 'object' } }] }))
      else require('node:fs').writeFileSync(${JSON.stringify(written)}, '')`
    writeFileSync(join(folder, 'writer.cjs'), program('write'))
    writeFileSync(join(folder, 'broken.cjs'), 'process.exit(1)')
    writeFileSync(
      join(folder, 'toolscope.json'),
      JSON.stringify({
        sources: { writer: { command: ['node', 'writer.cjs'] }, broken: { command: ['node', 'broken.cjs'] } },
      }),
    )
    const context: CommandContext = {
      directory: folder,
      environment: { PATH: process.env.PATH, TOOLSCOPE_DATA_DIR: join(folder, 'data') },
      say: () => {},
      write: () => {},
      readStdin: async () => '',
      signal: new AbortController().signal,
    }
    await use(async (sources, tool = 'write', options = {}) => {
      const ended = callCommand.run(
        callCommand.input.parse({ tool, sources, trust: true, ...options }),
        context,
      )
      const { code, hint } = await ended.then(
        ({ exitCode = 0 }) => ({ code: exitCode, hint: '' }),
        thrown => ({ code: toAppError(thrown).exitCode, hint: toAppError(thrown).toShape().hint }),
      )
      return { code, hint, isCalled: existsSync(written) }
    })
  },
})

test('toolscope call: calls when all named sources open', async ({ run }) => {
  expect(await run(['writer.cjs'])).toMatchObject({ code: exitCodes.fine, isCalled: true })
})

test('toolscope call: calls nothing for a task of a tool whose source has no tasks', async ({ run }) => {
  expect(await run(['writer.cjs'], 'write', { task: 'abc' })).toEqual({
    code: exitCodes.usage,
    hint: 'Nothing was called.',
    isCalled: false,
  })
})

base('toolscope call: says how much of a long input its question leaves out', async ({ folder }) => {
  const tool = { name: 'wipe', inputSchema: { type: 'object' } }
  writeFileSync(join(folder, 'wipe.cjs'), `console.log('${JSON.stringify({ tools: [tool] })}')`)
  const sources = { wipe: { command: ['node', 'wipe.cjs'] } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  const asked: string[] = []
  const input = JSON.stringify({ text: 'x'.repeat(3_000) })
  const context: CommandContext = {
    directory: folder,
    environment: {
      PATH: process.env.PATH,
      TOOLSCOPE_DATA_DIR: join(folder, 'data'),
      LLM_MCP_NEED_CONFIRM: 'wipe',
    },
    say: () => {},
    write: () => {},
    readStdin: async () => '',
    signal: new AbortController().signal,
    ask: async question => {
      asked.push(question)
      return 'n'
    },
  }
  const parsed = callCommand.input.parse({ tool: 'wipe', trust: true, input: JSON.parse(input) })
  await expect(callCommand.run(parsed, context)).rejects.toMatchObject({ code: 'usage' })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatch(/^wipe\/wipe \{"text":"x+… \(1011 more characters\)\n/)
})

test('toolscope call: calls nothing when a word names no source', async ({ run }) => {
  expect(await run(['writer.cjs', 'extra'])).toMatchObject({ code: exitCodes.unreachable, isCalled: false })
})

test('toolscope call: explains how to give inputs when such a word looks like one', async ({ run }) => {
  const { code, hint, isCalled } = await run([
    'writer.cjs',
    'note=it’s fine',
    'count=12345678901234567890',
    '--deep=',
  ])
  expect({ code, isCalled }).toEqual({ code: exitCodes.unreachable, isCalled: false })
  expect(hint).toContain(`--input '{"note":"it’s fine","count":12345678901234567890,"deep":""}'`)
})

test('toolscope call: calls nothing when a named source does not open', async ({ run }) => {
  expect(await run(['writer.cjs', 'broken.cjs'])).toMatchObject({
    code: exitCodes.unreachable,
    isCalled: false,
  })
})

test('toolscope call: calls when another source of toolscope.json does not open', async ({ run }) => {
  expect(await run([])).toMatchObject({ code: exitCodes.fine, isCalled: true })
})

test('toolscope call: calls when another server of a file does not open', async ({ run, folder }) => {
  const server = (file: string, ...args: string[]) => ({ command: process.execPath, args: [file, ...args] })
  const mcpServers = {
    broken: server('broken.cjs'),
    raw: server(resolveInRepository('server/sources/fixtures/mcp-raw.mjs'), 'stdio'),
  }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
  expect(await run(['mcp.json'], 'fine')).toMatchObject({ code: exitCodes.fine })
})

const wipe = { name: 'wipe', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } }

base.for([
  { mode: undefined, answer: undefined, isCalled: true },
  { mode: 'never', answer: undefined, isCalled: true },
  { mode: 'each-call', answer: undefined, isCalled: false },
  { mode: 'each-call', answer: 'n', isCalled: false },
  { mode: 'each-call', answer: 'y', isCalled: true },
  { mode: 'once', answer: 'n', isCalled: false },
  { mode: 'once', answer: undefined, yes: true, isCalled: true },
])(
  'toolscope call: a destructive tool with $mode, the answer $answer and --yes $yes',
  async (given, { folder }) => {
    const { mode, answer, yes = false, isCalled } = given
    const written = join(folder, 'written')
    const program = `if (process.argv.includes('--llms')) console.log(${JSON.stringify(JSON.stringify({ tools: [wipe] }))})
    else require('node:fs').writeFileSync(${JSON.stringify(written)}, '')`
    writeFileSync(join(folder, 'wipe.cjs'), program)
    const setting = mode === undefined ? {} : { askBeforeDestructive: mode }
    const sources = { a: { command: [process.execPath, 'wipe.cjs'], ...setting } }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answer ?? ''
    }
    const context: CommandContext = {
      directory: folder,
      environment: { PATH: process.env.PATH, TOOLSCOPE_DATA_DIR: join(folder, 'data') },
      say: () => {},
      write: () => {},
      readStdin: async () => '',
      signal: new AbortController().signal,
      ...(answer !== undefined && { ask }),
    }
    const ran = await Promise.resolve(
      callCommand.run(callCommand.input.parse({ tool: 'wipe', trust: true, yes }), context),
    ).then(
      () => 'ran',
      thrown => toAppError(thrown).code,
    )
    expect(ran).toBe(isCalled ? 'ran' : 'usage')
    expect(existsSync(written)).toBe(isCalled)
    expect(asked).toHaveLength(answer === undefined ? 0 : 1)
    const { output } = await scriptCommand
      .run(scriptCommand.input.parse({ trust: true }), {
        ...context,
        ask: undefined,
        readStdin: async () => 'wipe',
      })
      .catch(thrown => ({ output: toAppError(thrown).code }))
    if (mode === 'never') expect(output).toMatchObject({ exitCode: 0 })
    else expect(output).toBe('usage')
  },
)

base('toolscope check: skips a destructive tool whose source never asks', async () => {
  const never = { ...wipe, extra: { askBeforeDestructive: 'never' } }
  const tool = { ...never, ref: 'a/wipe', source: 'a', index: 0, callable: true }
  expect(skipReason(tool, { allowDestructive: false, allowWrites: true })).toMatchObject({
    flag: 'allow-destructive',
  })
})

test('toolscope call: prints one JSON document if the text of a server repeats its structured content', async ({
  folder,
}) => {
  const server = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const line = ['call', 'get-structured-content', '--', 'node', server]
  const { code, stdout } = await runCommandLine([...line, '--', '--location', 'Chicago'], {
    directory: folder,
    environment,
  })
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ conditions: expect.any(String) })])
})
