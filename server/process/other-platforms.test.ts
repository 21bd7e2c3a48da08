/** Trees on macOS and Windows: the platform is injected, and what only that system has is a program on PATH. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, expect, vi } from 'vitest'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { test } from '../testing/folder-test.ts'
import { nextMark, withMark } from './mark.ts'
import { endTree } from './process-tree.ts'

const realPlatform = process.platform
const setPlatform = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value })
const started = new Set<number>()
/** The helpers of tests need the real platform and the real ps. */
function restorePlatform(): void {
  setPlatform(realPlatform)
  vi.unstubAllEnvs()
}
afterEach(() => {
  restorePlatform()
  for (const pid of started) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  started.clear()
})

/** Puts a shell script before all other programs of this name. */
function addProgram(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
}

const idle = 'setInterval(()=>{},1e3)'
/** Prints the id of a child in a session of its own, which only its environment connects with its parent. */
const withDaemon = `const {pid}=require('node:child_process').spawn(process.execPath,['-e',${JSON.stringify(idle)}],{detached:true,stdio:'ignore'});console.log(pid);${idle}`

async function startTree() {
  const mark = nextMark()
  const child = spawn(process.execPath, ['-e', withDaemon], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: withMark({ PATH: process.env.PATH }, mark),
  })
  const [output] = await once(child.stdout, 'data')
  const [pid, daemon] = [child.pid ?? 0, Number(output)]
  for (const each of [pid, daemon]) started.add(each)
  expect([pid, daemon].map(isRunning)).toEqual([true, true])
  return { mark, pid, daemon }
}

// procps prints the environment by "e", the ps of macOS by "-E".
test.runIf(realPlatform === 'linux')(
  'endTree: on macOS, ps finds a daemon by the mark in its environment, and its end is verified',
  async ({ folder }) => {
    const { mark, pid, daemon } = await startTree()
    addProgram(
      folder,
      'ps',
      `[ "$*" = "-axwwE -o pid=,ppid=,pgid=,stat=,command=" ] || exit 1\nexec /bin/ps axwwe -o pid=,ppid=,pgid=,stat=,command=`,
    )
    setPlatform('darwin')
    const ended = await endTree({ pid, mark }, 5_000)
    restorePlatform()
    expect([pid, daemon].filter(isRunning)).toEqual([])
    expect(ended).toEqual({ ended: 2, left: [], isVerified: true })
  },
)

test.runIf(realPlatform === 'linux')(
  'endTree: on macOS without ps, the group is ended, and the result says that it is not verified',
  async ({ folder }) => {
    const { mark, pid, daemon } = await startTree()
    addProgram(folder, 'ps', 'exit 1')
    setPlatform('darwin')
    const ended = await endTree({ pid, mark }, 5_000)
    restorePlatform()
    expect(ended).toMatchObject({ left: [], isVerified: false })
    await until(() => !isRunning(pid))
    expect(isRunning(daemon)).toBe(true)
  },
)

test.runIf(realPlatform === 'linux')(
  'endTree: on Windows, taskkill gets the tree by the id of its program, once, and the result is not verified',
  async ({ folder }) => {
    const { mark, pid } = await startTree()
    const log = join(folder, 'taskkill.log')
    addProgram(folder, 'taskkill', `echo "$*" >> '${log}'\nkill -KILL "$2"`)
    setPlatform('win32')
    const ended = await endTree({ pid, mark }, 5_000)
    restorePlatform()
    expect(readFileSync(log, 'utf8')).toBe(`/pid ${pid} /T /F\n`)
    expect(ended).toEqual({ ended: 0, left: [], isVerified: false })
    await until(() => !isRunning(pid))
  },
)
