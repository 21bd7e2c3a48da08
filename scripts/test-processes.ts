/** Helpers for processes in tests of server/ and e2e/: whether one still runs, a free port, the first output. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { project } from './project.mjs'

/** A dead process that has not been reaped yet does not count (in a container, its parent may never do it). */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

/**
 * Returns a limit of elapsed time that was promised for a free machine, as it is on this machine now: as many times longer
 * as there is more work than processors. Ask after the timed work, because the load follows it.
 */
export function limitNow(limitMs: number): number {
  return limitMs * Math.max(1, ...runningProcesses().map(count => count / availableParallelism()))
}

/** The mean of the last minute, and how many run now: a busy minute may have begun just before. */
function runningProcesses(): number[] {
  const [lastMinute = 0] = loadavg()
  try {
    return [lastMinute, Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1])]
  } catch {
    // Only Linux has this file.
    return [lastMinute]
  }
}

/** Waits until the condition is true; throws after `limitMs`. */
export async function until(condition: () => boolean, limitMs = 30_000): Promise<void> {
  for (const end = Date.now() + limitMs; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not come true')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/**
 * Returns a port of the loopback address that no process listens on. It is below the ports that systems give to
 * connections and to port 0, so that no other process receives it before the caller uses it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  const isFree = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise(resolve => server.close(resolve))
  return port
}

/**
 * Starts a Node program during the test. Resolves with the first group of `pattern`, or the whole match, once the
 * program has written it; rejects if the program ends before.
 */
export function startBeside(
  words: readonly string[],
  pattern: RegExp,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly child: ChildProcess; readonly found: string }> {
  const child = spawn(process.execPath, words, { env: { ...process.env, ...environment } })
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', code => reject(new Error(`ended with ${code}: ${text}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        text += chunk
        const found = pattern.exec(text)
        if (found !== null) resolve({ child, found: found[1] ?? found[0] })
      })
  })
}

/** Copies the example tree, and adds a function `linger` that runs until it is stopped. */
export function copyFunctions(tree: string): void {
  cpSync(project('examples/functions'), tree, { recursive: true })
  const list = join(tree, 'functions.json')
  const linger = { name: 'linger', description: 'Wait.', parameters: { type: 'object', properties: {} } }
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), linger]))
  writeFileSync(join(tree, 'bin/linger'), '#!/bin/sh\nsleep 600 &\nwait\n')
  chmodSync(join(tree, 'bin/linger'), 0o755)
}

export interface Found {
  readonly pid: number
  readonly command: string
}

/** Returns running processes (no zombies) that were started with `mark` in their environment. */
export function processesWith(mark: string): Found[] {
  return readdirSync('/proc').flatMap(entry => {
    if (!/^\d+$/.test(entry)) return []
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').includes(mark)) return []
      const command = readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
      return command === '' ? [] : [{ pid: Number(entry), command }]
    } catch {
      // It has ended in the meantime, or belongs to another user.
      return []
    }
  })
}
