import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CallEvent, SessionEvent } from '../../core/tool/invocation.ts'
import { until } from '../../scripts/test-processes.ts'
import { testTool } from '../history/testkit.ts'
import { type RunOptions, runToEnd } from '../process/process.ts'
import type { Session } from '../sources/source.ts'
import type { Validator } from '../workers/validator.ts'
import { createCaller } from './call.ts'

const lenient: Validator = {
  validate: async () => ({ verdict: 'valid', issues: [] }),
  expect: () => {},
  close: async () => {},
}

/** How long the first calls hold their places. */
const heldMs = 500

/** Calls of a tool that end when the test ends them; at most two at once. */
function twoAtOnce() {
  const running: (() => void)[] = []
  const answers: (() => void)[] = []
  async function* run(
    _tool: unknown,
    { value }: { value: { asks?: boolean } },
  ): AsyncGenerator<SessionEvent> {
    if (value.asks) {
      yield { type: 'question', question: { id: 'q', message: 'Go on?', mode: 'form', schema: {} } }
      await new Promise<void>(resolve => answers.push(resolve))
      yield { type: 'answer', id: 'q', answer: { action: 'accept', by: 'person' } }
    }
    await new Promise<void>(resolve => running.push(resolve))
    yield { type: 'result', content: [] }
  }
  const session = { secrets: [], call: run } as unknown as Session // Only `call` and `secrets` are used.
  const closing = new AbortController()
  const tools = { callTarget: () => ({ tool: testTool, session, closed: closing.signal }) }
  const call = createCaller({ tools, validator: lenient, pins: null, maxCalls: 2 })
  function start(value = {}) {
    const events: CallEvent[] = []
    const abort = new AbortController()
    const input = { text: JSON.stringify(value), value }
    const done = (async () => {
      for await (const event of call({ ref: testTool.ref, input, origin: 'page', signal: abort.signal }))
        events.push(event)
    })()
    const positions = () => events.flatMap(event => (event.type === 'queued' ? [event.position] : []))
    return { events, positions, abort, done }
  }
  return { running, answers, closing, start }
}

describe('waiting line of calls', () => {
  test('shows each call its position, runs them in order, and does not count waiting as their time', async () => {
    const { running, start } = twoAtOnce()
    const calls = Array.from({ length: 5 }, () => start())
    await until(() => calls.every(({ events }, n) => n < 2 || events.some(event => event.type === 'queued')))
    expect(running).toHaveLength(2)
    expect(calls.map(call => call.positions())).toEqual([[], [], [1], [2], [3]])
    await new Promise(resolve => setTimeout(resolve, heldMs))
    running[0]?.()
    await calls[0]?.done
    await until(() => running.length === 3 && calls[4]?.positions().at(-1) === 2)
    expect(calls[2]?.positions()).toEqual([1, 0])
    for (let n = 1; n < 5; n += 1) {
      await until(() => running.length > n)
      running[n]?.()
    }
    await Promise.all(calls.map(call => call.done))
    expect(calls[4]?.positions()).toEqual([3, 2, 1, 0].filter(place => calls[4]?.positions().includes(place)))
    for (const { events } of calls) expect(events.at(-1)).toMatchObject({ type: 'result' })
    const durations = calls.map(({ events }) =>
      events.flatMap(event => (event.type === 'result' ? [event.timing.durationMs] : [])),
    )
    expect(durations[0]?.[0]).toBeGreaterThan(heldMs * 0.9)
    expect(durations[4]?.[0]).toBeLessThan(heldMs)
  })

  test('ends a call that is cancelled in it once, without starting its program, and frees its slot', async () => {
    const { running, start } = twoAtOnce()
    const calls = Array.from({ length: 4 }, () => start())
    await until(() => calls[3]?.positions().length === 1)
    calls[2]?.abort.abort()
    await calls[2]?.done
    expect(calls[2]?.events.filter(event => event.type === 'failure')).toMatchObject([
      { reason: 'cancelled', message: expect.stringContaining('was not started') },
    ])
    expect(running).toHaveLength(2)
    running[0]?.()
    await until(() => running.length === 3)
    expect(calls[3]?.positions().at(-1)).toBe(0)
    for (const end of running) end()
    await Promise.all(calls.map(call => call.done))
  })

  test('gives the slot of a call that waits for a person to the next one, and counts it again after', async () => {
    const { running, answers, start } = twoAtOnce()
    const asking = Array.from({ length: 3 }, () => start({ asks: true }))
    await until(() => answers.length === 3)
    const others = Array.from({ length: 3 }, () => start())
    await until(() => running.length === 2 && others[2]?.positions().length === 1)
    for (const answer of answers) answer()
    await until(() => running.length === 5)
    for (const end of running.splice(0, 3)) end()
    await until(
      () => asking.concat(others).filter(({ events }) => events.at(-1)?.type === 'result').length === 3,
    )
    expect(running).toHaveLength(2)
    for (const end of running.splice(0)) end()
    await until(() => running.length === 1)
    running[0]?.()
    await Promise.all([...asking, ...others].map(call => call.done))
  })

  test('ends waiting calls when their source closes', async () => {
    const { running, closing, start } = twoAtOnce()
    const calls = Array.from({ length: 3 }, () => start())
    await until(() => calls[2]?.positions().length === 1)
    closing.abort()
    await calls[2]?.done
    expect(calls[2]?.events.at(-1)).toMatchObject({ type: 'failure', reason: 'cancelled' })
    for (const end of running) end()
    await Promise.all(calls.map(call => call.done))
  })

  test('lets at most 16 programs that read lists run at once', async () => {
    const options = (): RunOptions => ({
      directory: process.cwd(),
      environment: { PATH: process.env.PATH },
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    })
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-line-'))
    const log = join(folder, 'log')
    const script = 'echo 1 >> "$0"; sleep 0.2; echo -1 >> "$0"'
    const runs = Array.from({ length: 40 }, () => runToEnd('sh', ['-c', script, log], options()))
    expect((await Promise.all(runs)).every(result => result.exitCode === 0)).toBe(true)
    let running = 0
    const counts = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map(step => (running += Number(step)))
    rmSync(folder, { recursive: true })
    const most = Math.max(...counts)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(16)
  })
})
