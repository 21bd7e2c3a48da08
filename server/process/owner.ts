/** Whose a file is: what another user has written must not decide what is run. */
import { lstatSync, statSync } from 'node:fs'

/**
 * Whether the user owns the file and, where it is a link, the file that it leads to. True where files have no owner
 * (Windows).
 */
export function isOwned(path: string, userId = process.getuid?.()): boolean {
  try {
    return userId === undefined || (lstatSync(path).uid === userId && statSync(path).uid === userId)
  } catch {
    return false
  }
}
