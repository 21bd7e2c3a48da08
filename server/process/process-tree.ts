/**
 * The trees of programs that we start. Each leads a process group and has a mark (mark.ts): a tree is the group, what
 * has the mark, and the descendants of both.
 */
import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { ownMark } from './mark.ts'
import { findProcesses } from './process-table.ts'

export interface Tree {
  /** The program that leads the group; undefined where it could not be started. */
  readonly pid: number | undefined
  /** Undefined: the tree is the group and its descendants alone. */
  readonly mark: string | undefined
}

/** What became of a tree that was ended. */
export interface EndedTree {
  /** Processes that were found and are gone. */
  readonly ended: number
  /** Process ids that still run: they belong to another user, or cannot be killed. */
  readonly left: readonly number[]
  /** False where the system has no list of processes: then nobody knows. */
  readonly isVerified: boolean
}

/** How long killed processes may take to disappear. */
const goneAfterMs = 1_000

const live = new Set<Tree>()
let isWaitingForExit = false

/** Remembers a tree until the returned function is called; whatever is still remembered when we exit is killed. */
export function trackTree(tree: Tree): () => void {
  if (!isWaitingForExit) process.once('exit', killTrackedTrees)
  isWaitingForExit = true
  live.add(tree)
  return () => void live.delete(tree)
}

/** Kills every program that is still tracked, with its tree. Blocks. */
export function killTrackedTrees(): void {
  for (const tree of live) killNow(tree)
}

/** Kills all that this process ever started and that still runs, also what calls that ended had detached. Blocks. */
export function killAllStarted(): void {
  killTrackedTrees()
  killNow({ pid: undefined, mark: ownMark })
}

function killNow({ pid, mark }: Tree): void {
  signalGroup(pid, 'SIGKILL')
  // What forks while it is killed is met in the next round.
  for (let round = 0; round < 3; round += 1)
    for (const each of findProcesses(mark, pid, 0) ?? []) kill(each, 'SIGKILL')
}

/** Whether anything of the group runs. */
export function groupIsAlive(pid: number | undefined): boolean {
  if (pid === undefined || process.platform === 'win32') return false
  try {
    process.kill(-pid, 0)
  } catch {
    return false
  }
  // The kernel counts a dead process that nobody has reaped yet (in a container, often for long) as a member.
  return findProcesses(undefined, pid, 0)?.length !== 0
}

/**
 * SIGTERM to the whole tree; SIGKILL to what is still there after `graceMs`. Resolves when it is gone, or could not be
 * ended within another second.
 */
export async function endTree({ pid, mark }: Tree, graceMs: number): Promise<EndedTree> {
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
      // The first look may miss what has just started.
      if (looks > 0 && found?.length === 0) return []
      // Again whenever there is another one; SIGKILL each time.
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

/** What a program that ended by itself left in its group may finish for `graceMs`; then it gets SIGTERM, and SIGKILL. */
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
