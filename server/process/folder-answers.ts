/** Does a folder answer, or does it hang (a network folder whose server has gone, a pipe in the place of a file)? */
import { spawn } from 'node:child_process'

const timeoutMs = 1_500
/** A folder that hung is asked again after this time. */
const askAgainMs = 5_000

interface Asked {
  readonly at: number
  readonly answers: Promise<boolean>
}

const asked = new Map<string, Asked>()

/**
 * True where the folder and the files in it can be looked at within 1.5 s, whatever that finds; whoever uses it meets
 * the errors. Another process looks: one that hangs can be left behind, a thread of ours would hold our own end.
 */
export async function folderAnswers(path: string): Promise<boolean> {
  const known = asked.get(path)
  if (known !== undefined && ((await known.answers) || performance.now() - known.at < askAgainMs))
    return known.answers
  const answers = process.platform === 'win32' ? Promise.resolve(true) : ask(path)
  asked.set(path, { at: performance.now(), answers })
  return answers
}

/** Opens the database as SQLite would, and writes nothing. */
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
    // Without a shell nobody can look.
    child.once('error', end)
  })
}
