/**
 * The mark of a program that we start: a variable of its environment, which whatever it starts inherits. By it,
 * descendants are found that left their process group (setsid, a double fork).
 */
import { randomBytes } from 'node:crypto'

const variable = 'STARTED_BY_TOOLSCOPE'

/** Where a Toolscope started this one, its mark is passed on: it ends what we start too. Read before main.ts removes it. */
const inherited = process.env[variable] ?? ''

/** Every mark of this process begins with it. */
export const ownMark = `${randomBytes(12).toString('hex')}:`

let programs = 0

/** A mark that no other program has. */
export function nextMark(): string {
  programs += 1
  return `${ownMark}${programs};`
}

export function withMark(environment: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  return { ...environment, [variable]: inherited + mark }
}

/** The marks of a process: '' where it has none. @param environ as /proc/PID/environ or `ps -E` has it */
export function marksIn(environ: string): string {
  const start = environ.indexOf(`${variable}=`)
  return start < 0 ? '' : (/^[\w:;]*/.exec(environ.slice(start + variable.length + 1))?.[0] ?? '')
}
