/** Checks whether a folder responds or hangs (a network folder whose server is gone, a pipe in place of a file). */
import { spawn } from 'node:child_process'

const timeoutMs = 1_500
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
 * ending.
 */
export async function isFolderResponsive(path: string): Promise<boolean> {
  const known = answersByPath.get(path)
  if (known !== undefined && ((await known.answers) || performance.now() - known.at < askAgainMs))
    return known.answers
  const answers = process.platform === 'win32' ? Promise.resolve(true) : ask(path)
  answersByPath.set(path, { at: performance.now(), answers })
  return answers
}

/** Opens the database file as SQLite would, and writes nothing. */
const script = 'ls -d "$0" "$0"/.; f="$0/toolscope.db"; [ ! -e "$f" ] || [ -d "$f" ] || : >> "$f"; exit 0'

function ask(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', script, path], { stdio: 'ignore' })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      child.unref()
      resolve(false)
    }, timeoutMs)
    const end = () => {
      clearTimeout(timer)
      resolve(true)
    }
    child.once('exit', end)
    // Without a shell the folder cannot be checked.
    child.once('error', end)
  })
}
