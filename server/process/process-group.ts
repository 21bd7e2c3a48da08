/** Process groups: every program we start leads its own, so that its whole tree can be ended at once. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const live = new Set<number>()

/** Remembers a group until the returned function is called; whatever is still remembered when we exit is killed. */
export function trackGroup(pid: number | undefined): () => void {
  if (pid === undefined) return () => {}
  if (live.size === 0) process.once('exit', killTrackedGroups)
  live.add(pid)
  return () => {
    live.delete(pid)
    if (live.size === 0) process.off('exit', killTrackedGroups)
  }
}

/** Ends at once every program that is still tracked. */
export function killTrackedGroups(): void {
  for (const pid of live) signalGroup(pid, 'SIGKILL')
}

export function groupIsAlive(pid: number | undefined): boolean {
  if (pid === undefined || process.platform === 'win32') return false
  try {
    process.kill(-pid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || hasRunningMember(pid)
}

/**
 * The kernel counts a dead process whose parent has not reaped it yet (in a container, often for long) as a
 * member of its group. Only /proc tells those apart: `pid (name) state ppid pgrp …`, proc(5).
 */
function hasRunningMember(group: number): boolean {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1')
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(pgrp) === group && state !== 'Z' && state !== 'X') return true
    } catch {
      // It ended while we looked.
    }
  }
  return false
}

/** SIGTERM to the group; SIGKILL when any of it is still there after `graceMs`. Resolves when it is gone. */
export async function killGroup(pid: number | undefined, graceMs: number): Promise<void> {
  if (pid === undefined) return
  signalGroup(pid, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (groupIsAlive(pid) && Date.now() < deadline) await pause(20)
  if (!groupIsAlive(pid)) return
  signalGroup(pid, 'SIGKILL')
  // A killed process stays in the table until it is reaped; that is not ours to wait for without end.
  for (let waited = 0; groupIsAlive(pid) && waited < 1_000; waited += 20) await pause(20)
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // Already gone.
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
