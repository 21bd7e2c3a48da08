import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import { incurProgram, isIncurInstalled } from '../../scripts/incur-fixture.mjs'
import { copyFunctions } from '../../scripts/test-processes.ts'
import { acme, program } from '../../scripts/toolscope-program.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import { callAndWait, openSource, toolNamed } from '../sources/testkit.ts'
import { RecordingWriter } from '../wire/recording-file.ts'
import { ask, callOf, stdioTransport, withClient } from './testkit.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'toolscope-recorded-runs-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  readonly tool: string
  readonly input: string
  readonly argv: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

/** Runs each program as Toolscope does, and records it next to the source's own list. */
async function record(file: string, kind: string, argument: SourceArgument, runs: readonly Run[]) {
  const live = await openSource(argument)
  const manifest = snapshotManifest(await live.manifest(new AbortController().signal))
  await live.close()
  const writer = new RecordingWriter(file, { by: 'test', force: true })
  writer.write({ type: 'source', source: 0, name: 'it', label: 'it', kind, transport: 'run' })
  writer.write({ type: 'manifest', source: 0, atMs: 0, hash: '', manifest })
  runs.forEach(({ tool, input, argv, environment }, at) => {
    const [command = '', ...args] = argv
    const output = join(folder, `output-${at}`)
    writeFileSync(output, '')
    const { stdout, stderr, status } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, ...environment, LLM_OUTPUT: output },
    })
    const exchange = at + 1
    const add = (part: 'start' | 'stdout' | 'stderr' | 'end', text: string, more = {}) =>
      writer.write({
        type: 'message',
        source: 0,
        seq: 1,
        atMs: at,
        direction: part === 'start' ? 'sent' : 'received',
        part,
        text,
        bytes: text.length,
        exchange,
        ...more,
      })
    add('start', input, { run: { argv: [...argv], tool } })
    if (stdout !== '') add('stdout', stdout)
    if (stderr !== '') add('stderr', stderr)
    const written = kind === 'llm-functions' ? { output: readFileSync(output, 'utf8') } : {}
    add('end', '', { run: { ...(status !== null && { exitCode: status }), ...written } })
  })
  writer.close()
}

/** Returns how the calls end, without the text of the program's log, which names its process. */
async function endings(argument: SourceArgument, runs: readonly Run[]) {
  const session = await openSource(argument)
  try {
    const { tools } = await session.manifest(new AbortController().signal)
    const found = []
    for (const { tool, input } of runs) {
      const { ending } = await callAndWait(session, await toolNamed(session, tool), input)
      found.push(ending.type === 'failure' ? { ...ending, stderr: '' } : ending)
    }
    return { tools, found }
  } finally {
    await session.close()
  }
}

describe('recorded runs', () => {
  const tree = join(folder, 'tree')
  const llms = (tool: string, input: string): Run => ({
    tool,
    input,
    argv: [process.execPath, acme, ...tool.split(' '), '--json', input],
  })
  const greeted = llms('api greet', '{"name":"Ada"}')

  test('an --llms program ends as it did', async () => {
    const runs = [greeted, llms('api greet', '{"name":5}')]
    const file = join(folder, 'llms.toolrec')
    await record(file, 'llms', acme, runs)
    expect(await endings(file, runs)).toEqual(await endings(acme, runs))
  })

  test.runIf(isIncurInstalled())('an incur program ends as it did', async () => {
    const argument = [process.execPath, incurProgram]
    const run = (tool: string, input: string, ...words: string[]): Run => ({
      tool,
      input,
      argv: [...argument, ...tool.split(' '), ...words, '--format', 'jsonl'],
    })
    const runs = [run('api greet', '{"name":"Ada"}', 'Ada')]
    const file = join(folder, 'incur.toolrec')
    await record(file, 'incur', argument, runs)
    expect(await endings(file, runs)).toEqual(await endings(argument, runs))
  })

  test('a function of an llm-functions tree ends as it did', async () => {
    copyFunctions(tree)
    const convert = (input: string): Run => ({
      tool: 'convert_units',
      input,
      argv: [join(tree, 'bin/convert_units'), input],
    })
    const runs = [convert('{"amount":1,"from":"km","to":"m"}'), convert('{"amount":1,"from":"km","to":"x"}')]
    const file = join(folder, 'functions.toolrec')
    await record(file, 'llm-functions', tree, runs)
    const [replayed, live] = [await endings(file, runs), await endings(tree, runs)]
    expect(replayed.found).toEqual(live.found)
  })

  test('toolscope replay serves a program as an MCP server', async () => {
    const file = join(folder, 'served.toolrec')
    await record(file, 'llms', acme, [greeted])
    const replayed = stdioTransport([process.execPath, program, 'replay', file], {
      TOOLSCOPE_DATA_DIR: folder,
    })
    const { answers } = await withClient(replayed, 'legacy', async (client, seen) => {
      await ask(client, seen, 'tools/list')
      await ask(client, seen, ...callOf('api_greet', { name: 'Ada' }))
      await ask(client, seen, ...callOf('api_greet', { name: 'Bo' }))
    })
    expect(JSON.stringify(answers[1])).toContain('Good day, Ada')
    expect(JSON.stringify(answers[2])).toContain('At /arguments/name it has')
  })
})
