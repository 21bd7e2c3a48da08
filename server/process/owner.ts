/** Checks who owns a file: files of another user must not decide what is run. */
import { lstatSync, statSync } from 'node:fs'

/** Whether the user owns the file and, if it is a link, its target. True if files have no owner (Windows). */
export function isOwned(path: string, userId = process.getuid?.()): boolean {
  try {
    return userId === undefined || (lstatSync(path).uid === userId && statSync(path).uid === userId)
  } catch {
    return false
  }
}
