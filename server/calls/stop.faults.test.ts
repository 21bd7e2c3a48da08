import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { InvocationSummary } from '../../core/api/history.ts'
import { History } from '../history/history.ts'
import { isRunning, until } from '../sources/test-processes.ts'
import { projectPath } from '../sources/testkit.ts'
import { listInvocations } from '../store/invocation-list.ts'
import { openStore } from '../store/open-store.ts'

const program = projectPath('dist/server/main.js')
/** Tools that run until they are ended; each prints its own id and that of a daemon which it started. */
const hanging = projectPath('server/sources/fixtures/daemons.mjs')

let directory: string
let server: ChildProcess
let url: URL
/** Of the programs of calls and of their daemons. */
const pids = new Set<number>()

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'toolscope-stop-'))
  server = spawn(process.execPath, [program, hanging, '--no-open', '--port', '0'], {
    cwd: directory,
    env: { ...process.env, TOOLSCOPE_DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise(resolve =>
    server.stdout?.on('data', chunk => {
      const found = /ready: (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(new URL(found))
    }),
  )
  for (let n = 0; n < 5; n += 1) void startCall()
  await until(() => pids.size === 10, 15_000)
}, 60_000)
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) server.kill('SIGKILL')
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  pids.clear()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts a call, notes the ids that it prints, and reads until the connection ends. */
async function startCall(): Promise<void> {
  const token = url.searchParams.get('token')
  const answer = await fetch(new URL('/api/invocations', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ref: 'daemons/hang', input: {} }),
  })
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

describe('signals', () => {
  test('SIGTERM during five calls: programs and daemons end, all five are kept as cancelled', async () => {
    const started = performance.now()
    server.kill('SIGTERM')
    await once(server, 'exit')
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(running()).toEqual([])
    expect((await keptCalls()).map(call => call.outcome)).toEqual(Array(5).fill('cancelled'))
  })

  test('kill -9 during five calls: programs and daemons end soon, all five are kept as unfinished', async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    expect((await keptCalls()).map(call => call.outcome)).toEqual(Array(5).fill('unfinished'))
    await until(() => running().length === 0, 10_000)
  })
})
