/** For tests that leave nothing behind: is a process still running? */
import { execFileSync } from 'node:child_process'

/** A dead process that nobody has reaped yet does not count (in a container, its parent may never do it). */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

/** Waits for something to come true; throws after `limitMs`. */
export async function until(condition: () => boolean, limitMs = 5_000): Promise<void> {
  for (const end = Date.now() + limitMs; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not come true')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
