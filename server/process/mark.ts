/**
 * The mark of a program that we start: an environment variable that its descendants inherit. The mark finds descendants
 * that left their process group (setsid, a double fork).
 */
import { randomBytes } from 'node:crypto'

const variable = 'STARTED_BY_TOOLSCOPE'

/**
 * If another Toolscope started this one, its mark is passed on, because it also ends our programs. Read before main.ts
 * removes it.
 */
const inherited = process.env[variable] ?? ''

/** Every mark of this process begins with this text. */
export const ownMark = `${randomBytes(12).toString('hex')}:`

let programs = 0

export function nextMark(): string {
  programs += 1
  return `${ownMark}${programs};`
}

export function withMark(environment: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  return { ...environment, [variable]: inherited + mark }
}

/** Returns the marks of a process; empty if it has none. @param environ as in /proc/PID/environ or from `ps -E` */
export function marksIn(environ: string): string {
  const start = environ.indexOf(`${variable}=`)
  return start < 0 ? '' : (/^[\w:;]*/.exec(environ.slice(start + variable.length + 1))?.[0] ?? '')
}
