/** Checks whether a folder responds or hangs (a network folder whose server is gone, a pipe in place of a file). */
import { spawn } from 'node:child_process'

const timeoutMs = 1_500
/** The shell that looks at the folder starts within this time. */
const maxStartMs = 20_000
/** A folder that hung is checked again after this time. */
const askAgainMs = 5_000

interface FolderAnswer {
  readonly at: number
  readonly answers: Promise<boolean>
}

const answersByPath = new Map<string, FolderAnswer>()

/**
 * Returns true if the folder and its files can be accessed within 1.5 s, even with an error, which the caller then
 * gets. Another process does this: a hanging process can be abandoned, but a hanging thread would keep ours from
 * ending. The time until that process starts does not count.
 */
export async function isFolderResponsive(path: string): Promise<boolean> {
  const known = answersByPath.get(path)
  if (known !== undefined && ((await known.answers) || performance.now() - known.at < askAgainMs))
    return known.answers
  const answers = process.platform === 'win32' ? Promise.resolve(true) : ask(path)
  answersByPath.set(path, { at: performance.now(), answers })
  return answers
}

/** Opens the database file as SQLite would, and writes nothing to it. Starts no other program. */
const script =
  'echo; [ -e "$0" ]; [ -e "$0"/. ]; f="$0/toolscope.db"; [ ! -e "$f" ] || [ -d "$f" ] || : >> "$f"; exit 0'

function ask(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', script, path], { stdio: ['ignore', 'pipe', 'ignore'] })
    const giveUp = () =>
      // An exit that this thread has not read yet, because it was busy, counts.
      setImmediate(() => {
        child.kill('SIGKILL')
        child.stdout.destroy()
        child.unref()
        resolve(false)
      })
    let timer = setTimeout(giveUp, maxStartMs)
    // A busy machine starts the shell late. That says nothing about the folder.
    child.stdout.once('data', () => {
      clearTimeout(timer)
      if (child.exitCode === null) timer = setTimeout(giveUp, timeoutMs)
    })
    const end = () => {
      clearTimeout(timer)
      resolve(true)
    }
    child.once('exit', end)
    // Without a shell the folder cannot be checked.
    child.once('error', end)
  })
}
