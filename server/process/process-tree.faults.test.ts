import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { bundle } from '../history/bundle.testkit.ts'
import { treeText } from '../sources/run-failure.ts'
import { type RunOptions, type RunResult, runProgram } from './process.ts'

const node = process.execPath
const idle = 'setInterval(()=>{},1e3)'

/**
 * Starts a program in a session of its own, whose parent has gone: only its environment tells who started it. It prints
 * its id through the pipe that it inherits. @param more code of it
 */
function startDaemon(more = ''): string {
  const spawn = (code: string) =>
    `require('node:child_process').spawn(process.execPath,['-e',${JSON.stringify(code)}],{detached:true,stdio:'inherit'}).unref();`
  return spawn(spawn(`console.log(process.pid);${more}${idle}`))
}

const options = (signal: AbortSignal, more: Partial<RunOptions> = {}): RunOptions => ({
  directory: process.cwd(),
  environment: { PATH: process.env.PATH },
  signal,
  timeoutMs: 30_000,
  ...more,
})

const pids = new Set<number>()
afterEach(() => {
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  pids.clear()
})

/** Runs the code; calls `onPid` with the id that it prints. */
async function run(code: string, given: RunOptions, onPid?: () => void): Promise<RunResult> {
  for await (const event of runProgram(node, ['-e', code], given)) {
    if (event.type === 'end') return event.result
    for (const line of event.text.trim().split('\n')) pids.add(Number(line))
    onPid?.()
  }
  throw new Error('no end')
}

describe('process tree', () => {
  test('with a daemon ends when its call is cancelled, and its processes are counted', async () => {
    const abort = new AbortController()
    const result = await run(startDaemon('process.on("SIGTERM",()=>{});') + idle, options(abort.signal), () =>
      abort.abort(),
    )
    expect([...pids].filter(isRunning)).toEqual([])
    expect(result).toMatchObject({ end: 'cancelled', tree: { left: [], isVerified: true } })
    expect(result.tree?.ended).toBeGreaterThanOrEqual(2)
    expect(result.tree && treeText(result.tree)).toMatch(/^Ended \d processes\.$/)
  })

  test('with a daemon ends at the time limit', async () => {
    const result = await run(
      startDaemon() + idle,
      options(new AbortController().signal, { timeoutMs: 1_500 }),
    )
    expect(result.end).toBe('timeout')
    expect(pids.size).toBe(1)
    expect([...pids].filter(isRunning)).toEqual([])
  })

  test('with a descendant without our environment ends while its parents live', async () => {
    const abort = new AbortController()
    const bare = `const c=require('node:child_process').spawn(process.execPath,['-e','${idle}'],{detached:true,env:{},stdio:'ignore'});console.log(c.pid);${idle}`
    const result = await run(bare, options(abort.signal), () => abort.abort())
    expect(result.tree).toMatchObject({ ended: 2, left: [] })
    expect([...pids].filter(isRunning)).toEqual([])
  })

  test('is described without claims about what is not known', () => {
    expect(treeText({ ended: 0, left: [], isVerified: false })).toContain('Could not verify')
    expect(treeText({ ended: 2, left: [71], isVerified: true })).toBe(
      'Ended 2 processes. Could not end 1 process: 71.',
    )
  })

  test('with a daemon ends after kill -9 of Toolscope', async () => {
    const program = await bundle('../process/starter.fixture-program.ts')
    const starter = spawn(node, [program, startDaemon() + idle], { stdio: ['ignore', 'pipe', 'inherit'] })
    starter.stdout.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) pids.add(Number(line))
    })
    // The program and the daemon.
    await until(() => pids.size === 2, 15_000)
    expect([...pids].filter(isRunning)).toHaveLength(2)
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    await until(() => [...pids].every(pid => !isRunning(pid)), 10_000)
  })
})
