/** The processes of this machine that run: /proc on Linux, `ps` on other systems that have it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { marksIn } from './mark.ts'

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
export function findProcesses(
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
