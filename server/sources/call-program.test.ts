import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { groupIsAlive } from '../process/process-tree.ts'
import { llmsProgram } from './llms-program.ts'
import {
  callAndWait,
  openFixture,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from './testkit.ts'

const acme = (...words: string[]) =>
  openSource([process.execPath, resolveInRepository('examples/acme/acme.mjs'), ...words])

async function callAcme(name: string, input: unknown) {
  const session = await acme()
  return callAndWait(session, await toolNamed(session, name), input)
}

describe('call of a --llms program', () => {
  it('returns the JSON as structured content, and its exact text', async () => {
    const { ending } = await callAcme('api greet', { name: 'Ada' })
    expect(ending).toMatchObject({
      type: 'result',
      structuredContent: { greeting: expect.stringContaining('Ada') },
      exitCode: 0,
    })
    expect(ending.raw).toMatch(/^\{\n {2}"greeting"/)
  })

  it('keeps the words of a sub-program and of a leaf', async () => {
    for (const words of [['api'], ['api', 'greet']]) {
      const session = await acme(...words)
      const { ending } = await callAndWait(session, await toolNamed(session, 'greet'), { name: 'Ada' })
      expect(ending.type).toBe('result')
    }
  })

  it('runs a program that is itself the tool, whatever its file name is', async () => {
    const session = await openFixture('root-leaf')
    const tool = await toolNamed(session, 'solo')
    for (const number of [21, 4]) {
      const { ending, stderr } = await callAndWait(session, tool, { number })
      expect(ending).toMatchObject({ type: 'result', structuredContent: { doubled: number * 2 } })
      // The refused first address is nobody's business.
      expect(stderr).toBe('')
    }
  })

  it('has one time limit for both ways to call a program that may be the tool itself', async () => {
    const delay = 'data:text/javascript,await new Promise(done => setTimeout(done, 600))'
    const path = resolveInRepository('server/sources/fixtures/root-leaf.mjs')
    const session = await openSource([process.execPath, '--import', delay, path])
    const tool = await toolNamed(session, 'solo')
    const { ending } = await callAndWait(session, tool, { number: 21 }, { timeoutMs: 1_100 })
    expect(ending).toMatchObject({ type: 'failure', reason: 'timeout' })
  })

  it('runs a tool named help', async () => {
    const session = await openFixture('second-help')
    const { ending } = await callAndWait(session, await toolNamed(session, 'help'), { topic: 'keys' })
    expect(ending).toMatchObject({ type: 'result', structuredContent: { where: 'the desk for keys' } })
  })

  it('uses the configured input flag, and suggests one when the usual flag is refused', async () => {
    const command = [process.execPath, resolveInRepository('server/sources/fixtures/custom-flags.mjs')]
    const flags = { manifest: '--describe', input: '--input-json' }
    const right = await llmsProgram.open({ command, flags }, { name: 'custom' }, testContext)
    const tool = await toolNamed(right, 'echo')
    expect((await callAndWait(right, tool, { text: 'a' })).ending).toMatchObject({ type: 'result' })

    const wrong = await llmsProgram.open({ command }, { name: 'custom' }, testContext)
    const { ending } = await callAndWait(wrong, tool, { text: 'a' })
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: expect.stringContaining("unknown option '--json'"),
    })
    expect('hint' in ending && ending.hint).toContain('"flags"')
  })

  it('says that a listed tool does not take JSON', async () => {
    const session = await openFixture('flags-off')
    const { ending } = await callAndWait(session, await toolNamed(session, 'mute'), { text: 'a' })
    expect(ending).toMatchObject({ type: 'failure', hint: expect.stringContaining('switched off') })
  })

  it('returns the issues of a refused input with their locations', async () => {
    const { ending } = await callAcme('api deploy', { build: 'x', environment: 'moon' })
    expect(ending).toMatchObject({ type: 'failure', reason: 'exit', exitCode: 1 })
    const places = 'issues' in ending ? ending.issues?.map(issue => issue.path) : []
    expect(places).toContain('/environment')
    expect(places).toContain('/build')
    expect(ending).toMatchObject({ issuesOf: 'input' })
  })

  it('names each location of a refused input once', async () => {
    const { ending } = await callAcme('api deploy', { build: 'x', environment: 'moon' })
    const places = /refused a value: (.*)$/
      .exec(ending.type === 'failure' ? ending.message : '')?.[1]
      ?.split(', ')
    expect(places).toEqual([...new Set(places)])
  })

  it('distinguishes an output that the program refuses from a refused input', async () => {
    const session = await openFixture('breaks-output')
    const tool = await toolNamed(session, 'same')
    expect((await callAndWait(session, tool, {})).ending).toMatchObject({
      type: 'failure',
      reason: 'bad-output',
      issuesOf: 'output',
      message: 'The program broke its own output schema: /number, /list/1, /list/2',
      issues: [{ path: '/number' }, { path: '/list/1' }, { path: '/list/2' }],
    })
    expect((await callAndWait(session, tool, { number: 'x' })).ending).toMatchObject({
      reason: 'exit',
      issuesOf: 'input',
      issues: [{ path: '/number' }],
    })
  })

  it('names the error of a handler that throws', async () => {
    const { ending } = await callAcme('people suspend', {
      address: 'ada@acme.example',
      email: 'ada@acme.example',
    })
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: expect.stringMatching(/Error: /),
    })
  })

  it('fails with a SyntaxError when the input is not JSON', async () => {
    const { ending } = await callAcme('api greet', '{"name": ')
    expect(ending).toMatchObject({ type: 'failure', message: expect.stringMatching(/^SyntaxError: /) })
  })

  it('finds the JSON after other output, and keeps that output in the logs', async () => {
    const { ending, stdout } = await callAcme('builds scan', { build: 'b-1842' })
    expect(ending).toMatchObject({ type: 'result', note: expect.stringContaining('in the logs') })
    expect(ending.structuredContent).toBeTypeOf('object')
    expect(stdout.indexOf(ending.raw ?? '?')).toBeGreaterThan(0)
  })

  it('returns 5 MB whole', async () => {
    const { ending } = await callAcme('billing export', { month: '2026-10' })
    expect(ending.type).toBe('result')
    expect(ending.raw?.length).toBeGreaterThan(4_500_000)
  })

  it('keeps numbers of the input beyond 2^53 exactly', async () => {
    const session = await openFixture('hostile-names')
    const { ending } = await callAndWait(
      session,
      await toolNamed(session, 'toString'),
      '{"n":12345678901234567890}',
    )
    expect(ending.raw).toContain('12345678901234567890')
  })

  it('refuses an input that is too long for one argument, and names the limit', async () => {
    const { ending } = await callAcme('api greet', { name: 'x'.repeat(140_000) })
    expect(ending).toMatchObject({
      type: 'failure',
      reason: 'spawn',
      message: expect.stringContaining('131,071'),
    })
  })

  it('never passes a name that a command line would read as an option', async () => {
    const session = await openFixture('hostile-names')
    for (const name of ['-rf', '--version', '; rm -rf .'])
      expect((await callAndWait(session, await toolNamed(session, name), {})).ending).toMatchObject({
        reason: 'not-found',
      })
  })

  it('passes every other hostile name as plain words', async () => {
    const session = await openFixture('hostile-names')
    for (const name of ['$(touch x)', '`touch x`', '__proto__', '<img src=x onerror=alert(1)>']) {
      const { ending } = await callAndWait(session, await toolNamed(session, name), {})
      expect(ending.structuredContent).toEqual({ words: [...name.split(' '), '--json', '{}'] })
    }
    expect((await callAndWait(session, await toolNamed(session, 'null\u0000byte'), {})).ending.type).toBe(
      'failure',
    )
  })

  it('keeps the stderr of a program that crashed', async () => {
    const session = await openFixture('crash')
    const { ending, stderr } = await callAndWait(session, await toolNamed(session, 'die'), {
      signal: 'SIGABRT',
    })
    expect(ending).toMatchObject({ type: 'failure', reason: 'exit', signal: 'SIGABRT' })
    expect(stderr).toContain('about to end')
  })

  it('ends a program that prints 200 MB, and keeps the first 16 MiB', async () => {
    const session = await openFixture('huge-output')
    const { tools } = await session.manifest(new AbortController().signal)
    const [tool] = tools
    if (tool === undefined) throw new Error('no tool')
    const { ending } = await callAndWait(session, tool, {})
    expect(ending).toMatchObject({ type: 'failure', reason: 'too-large' })
    expect(ending.raw?.length).toBe(16 * 1024 * 1024)
  })

  it('cancels a stubborn program together with its child', async () => {
    const session = await openFixture('stubborn')
    const { tools } = await session.manifest(new AbortController().signal)
    const [tool] = tools
    if (tool === undefined) throw new Error('no tool')
    const abort = new AbortController()
    let stderr = ''
    let pids: RegExpExecArray | null = null
    let ending: SessionEvent | undefined
    const given = { signal: abort.signal, timeoutMs: 60_000 }
    for await (const event of session.call?.(tool, { text: '{}', value: {} }, given) ?? []) {
      ending = event
      if (event.type === 'stderr') stderr += event.text
      pids ??= /pids (\d+) (\d+)\n/.exec(stderr)
      if (pids) abort.abort()
    }
    expect(ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    expect(groupIsAlive(Number(pids?.[1]))).toBe(false)
  })
})
