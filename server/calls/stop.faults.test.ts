import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { InvocationSummary } from '../../core/api/history.ts'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { type Running, startToolscope } from '../../scripts/toolscope-program.ts'
import { History } from '../history/history.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { listInvocations } from '../store/invocation-list.ts'
import { openStore } from '../store/open-store.ts'
import { aboutTime } from '../testing/about-time.ts'

/** Tools that run until they are ended; each prints its own id and that of a daemon which it started. */
const hanging = resolveInRepository('server/sources/fixtures/daemons.mjs')

let directory: string
let server: Running
/** Of the programs of calls and of their daemons. */
const pids = new Set<number>()

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'toolscope-stop-'))
  const args = ['--drain', '0', hanging]
  server = await startToolscope(args, directory, { TOOLSCOPE_DATA_DIR: directory })
  for (let n = 0; n < 5; n += 1) void startCall()
  await until(() => pids.size === 10, 15_000)
}, 60_000)
afterEach(async () => {
  server.process.kill('SIGKILL')
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  pids.clear()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts a call, notes the ids that it prints, and reads until the connection ends. */
async function startCall(): Promise<void> {
  const answer = await server.request('/api/invocations', { ref: 'daemons/hang', input: {} })
  try {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? [])
      for (const [, pid] of decoder.decode(chunk).matchAll(/pid (\d+)/g)) pids.add(Number(pid))
  } catch {
    // The connection ends with the server.
  }
}

/** The calls that history has, read as the next program would. */
async function keptCalls(): Promise<readonly InvocationSummary[]> {
  const store = await openStore({ environment: { TOOLSCOPE_DATA_DIR: directory }, say: () => {} })
  const history = new History(store, { dataDirectory: directory })
  await history.recover()
  const { invocations } = await listInvocations(store, {}, { limit: 20 })
  await history.close()
  await store.close()
  return invocations
}

const running = () => [...pids].filter(isRunning)

describe('toolscope with five running calls', () => {
  test('ends programs and daemons at SIGTERM and keeps all five calls as cancelled', aboutTime, async () => {
    const started = performance.now()
    server.process.kill('SIGTERM')
    await once(server.process, 'exit')
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(running()).toEqual([])
    expect((await keptCalls()).map(call => call.outcome)).toEqual(Array(5).fill('cancelled'))
  })

  test('keeps all five calls as unfinished after kill -9, and their programs and daemons end soon', async () => {
    server.process.kill('SIGKILL')
    await once(server.process, 'exit')
    expect((await keptCalls()).map(call => call.outcome)).toEqual(Array(5).fill('unfinished'))
    await until(() => running().length === 0, 10_000)
  })
})
