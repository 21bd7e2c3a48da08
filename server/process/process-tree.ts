/**
 * The trees of programs that we start. Each leads a process group and has a mark (mark.ts): a tree is the group, what
 * has the mark, and the descendants of both.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { marksIn, ownMark } from './mark.ts'

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

/* The processes of this machine that run: /proc on Linux, `ps` on other systems that have it. */

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** See mark.ts; '' also where another user's environment may not be read. */
  readonly marks: string
}

/** One reading serves all that end programs at the same time. */
const maxAgeMs = 10
let latest: { readonly at: number; readonly rows: readonly ProcessRow[] | null } | undefined

/**
 * The processes with this mark or in this group, and all their descendants; this process is never among them. A dead
 * process that its parent has not reaped does not count. Null where the system has no list.
 *
 * @param maxAge how old the list may be, in milliseconds: what has started since is missing in it
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
    // What starts while it is read may be missing.
    latest = { at: now, rows }
  }
  return latest.rows
}

function readProc(): ProcessRow[] {
  return readdirSync('/proc').flatMap(entry => {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : ''
    // `pid (name) state ppid pgrp …`, proc(5); the name may hold anything.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (stat === '' || 'ZX'.includes(state)) return []
    const marks = marksIn(read(`/proc/${entry}/environ`))
    return [{ pid: Number(entry), parent: Number(parent), group: Number(group), marks }]
  })
}

/** '' where it ended while we looked, and where it may not be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function askPs(): ProcessRow[] | null {
  try {
    // -E: the environment stands after the command.
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
