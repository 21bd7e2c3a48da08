/**
 * The trees of programs that we start. Each leads a process group and has a mark (mark.ts): a tree is the group, the
 * processes with the mark, and the descendants of both.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { marksIn, ownMark } from './mark.ts'

export interface ProcessTree {
  /** The program that leads the group; undefined if it could not be started. */
  readonly pid: number | undefined
  /** Undefined: the tree is only the group and its descendants. */
  readonly mark: string | undefined
}

export interface EndedTree {
  /** How many processes were found and ended. */
  readonly ended: number
  /** Process ids that still run: they belong to another user, or cannot be killed. */
  readonly left: readonly number[]
  /** False if the system has no list of processes, so the result is unknown. */
  readonly isVerified: boolean
}

/** How long killed processes may take to disappear. */
const goneAfterMs = 1_000

const live = new Set<ProcessTree>()
let isWaitingForExit = false

/** Tracks a tree until the returned function is called; trees that are still tracked at exit are killed. */
export function trackTree(tree: ProcessTree): () => void {
  if (!isWaitingForExit) process.once('exit', killTrackedTrees)
  isWaitingForExit = true
  live.add(tree)
  return () => void live.delete(tree)
}

/** Kills every tracked program with its tree. Blocks. */
export function killTrackedTrees(): void {
  for (const tree of live) killNow(tree)
}

/**
 * Kills everything that this process ever started and that still runs, also processes that ended calls had detached.
 * Blocks.
 */
export function killAllStarted(): void {
  killTrackedTrees()
  killNow({ pid: undefined, mark: ownMark })
}

function killNow({ pid, mark }: ProcessTree): void {
  signalGroup(pid, 'SIGKILL')
  // The next round finds processes that were forked in this one.
  for (let round = 0; round < 3; round += 1)
    for (const each of findProcesses(mark, pid, 0) ?? []) kill(each, 'SIGKILL')
}

export function groupIsAlive(pid: number | undefined): boolean {
  if (pid === undefined || process.platform === 'win32') return false
  try {
    process.kill(-pid, 0)
  } catch {
    return false
  }
  // The kernel counts a dead process that has not been reaped yet (in a container, often for long) as a member.
  return findProcesses(undefined, pid, 0)?.length !== 0
}

/**
 * Sends SIGTERM to the whole tree, and SIGKILL to the processes that remain after `graceMs`. Resolves when the tree is
 * gone, or could not be ended within another second.
 */
export async function endTree({ pid, mark }: ProcessTree, graceMs: number): Promise<EndedTree> {
  const seen = new Set<number>()
  const find = () => {
    const found = findProcesses(mark, pid)
    for (const each of found ?? []) seen.add(each)
    return found
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL', waitMs: number) => {
    const deadline = performance.now() + waitMs
    let signalled = -1
    for (let looks = 0; ; looks += 1) {
      const found = find()
      // The first look may miss processes that have just started.
      if (looks > 0 && found?.length === 0) return []
      // Repeated when a process was added, and always for SIGKILL.
      if (signal === 'SIGKILL' || seen.size !== signalled) {
        signalGroup(pid, signal)
        for (const each of found ?? []) kill(each, signal)
      }
      signalled = seen.size
      if (performance.now() > deadline || (found === null && !groupIsAlive(pid))) return found
      await setTimeout(20)
    }
  }
  let left = await end('SIGTERM', graceMs)
  if (left === null ? groupIsAlive(pid) : left.length > 0) left = await end('SIGKILL', goneAfterMs)
  return { ended: seen.size - (left?.length ?? 0), left: left ?? [], isVerified: left !== null }
}

/** Gives processes that a program left in its group `graceMs` to finish; then sends SIGTERM, and later SIGKILL. */
export async function endBackground(pid: number | undefined, graceMs: number, killMs: number): Promise<void> {
  const deadline = performance.now() + graceMs
  while (groupIsAlive(pid)) {
    if (performance.now() > deadline) return void (await endTree({ pid, mark: undefined }, killMs))
    await setTimeout(50)
  }
}

function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (process.platform === 'win32')
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true })
  else kill(-pid, signal)
}

function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone, or not ours to end.
  }
}

/* The running processes of this machine: from /proc on Linux, else from `ps` if the system has it. */

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** See mark.ts; empty if another user's environment must not be read. */
  readonly marks: string
}

/** One reading serves all programs that are ended at the same time. */
const maxAgeMs = 10
let latest: { readonly at: number; readonly rows: readonly ProcessRow[] | null } | undefined

/**
 * Returns the processes with this mark or in this group, and all their descendants, but never this process. A dead
 * process that its parent has not reaped does not count. Null if the system has no list of processes.
 *
 * @param maxAge maximum age of the list in milliseconds: newer processes are missing in it
 */
function findProcesses(
  mark: string | undefined,
  group: number | undefined,
  maxAge = maxAgeMs,
): readonly number[] | null {
  if (mark === '') throw new Error('an empty mark is in every process')
  const rows = readTable(maxAge)
  if (rows === null) return null
  const found = new Set(
    rows
      .filter(row => (mark !== undefined && row.marks.includes(mark)) || row.group === group)
      .map(row => row.pid),
  )
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid)
  }
  found.delete(process.pid)
  return [...found]
}

function readTable(maxAge: number): readonly ProcessRow[] | null {
  const now = performance.now()
  if (latest === undefined || now - latest.at >= maxAge) {
    const rows = process.platform === 'linux' ? readProc() : process.platform === 'win32' ? null : askPs()
    // A process that starts during the reading may be missing.
    latest = { at: now, rows }
  }
  return latest.rows
}

function readProc(): ProcessRow[] {
  return readdirSync('/proc').flatMap(entry => {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : ''
    // `pid (name) state ppid pgrp …`, proc(5); the name may contain anything.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (stat === '' || 'ZX'.includes(state)) return []
    const marks = marksIn(read(`/proc/${entry}/environ`))
    return [{ pid: Number(entry), parent: Number(parent), group: Number(group), marks }]
  })
}

/** Returns an empty text if the process ended meanwhile, or if the file must not be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function askPs(): ProcessRow[] | null {
  try {
    // -E prints the environment after the command.
    const columns = ['-axwwE', '-o', 'pid=,ppid=,pgid=,stat=,command=']
    const text = execFileSync('ps', columns, { encoding: 'latin1', maxBuffer: 64 << 20, stdio: 'pipe' })
    return text.split('\n').flatMap(line => {
      const [, pid, parent, group, state = '', rest = ''] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      if (pid === undefined || state.startsWith('Z')) return []
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), marks: marksIn(rest) }]
    })
  } catch {
    return null
  }
}
