/** Random keys that are made once and kept, each in a file that its owner alone can read. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOwned } from './owner.ts'

const keyBytes = 32

/**
 * The 32 bytes in the file, which is made, with its folder, where it is missing. Throws an Error that says why for a file
 * that another user owns or can read, one of another length, and where none can be made.
 */
export function keptKey(path: string): Buffer {
  return readOwned(path) ?? makeKey(path)
}

function readOwned(path: string): Buffer | null {
  let key: Buffer
  try {
    key = readFileSync(path)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw thrown
  }
  if (!isOwned(path)) throw new Error('another user owns it')
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new Error(`other users can read it: chmod 600 ${path}`)
  if (key.length !== keyBytes) throw new Error(`it has ${key.length} bytes`)
  return key
}

/** Of two programs that make one at once, both take the same: a link never replaces a file, and is never half written. */
function makeKey(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(temporary, path)
  } catch (thrown) {
    // Not every file system has links.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  const key = readOwned(path)
  if (key === null) throw new Error('it was removed at once')
  return key
}
