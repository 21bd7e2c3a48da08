/** For tests that start programs: is a process still running, which port is free? */
import { execFileSync } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'

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

/** A port of the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
