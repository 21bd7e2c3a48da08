/** Random keys that are made once and kept, each in a file that only its owner can read. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOwned } from './owner.ts'

const keyBytes = 32

/**
 * Returns the 32 bytes in the file, and creates the file and its folder if they are missing. Throws an Error with the
 * reason if another user owns or can read the file, if it has another length, and if it cannot be created.
 */
export function readOrCreateKey(path: string): Buffer {
  return readOwned(path) ?? makeKey(path)
}

function readOwned(path: string): Buffer | null {
  let key: Buffer
  try {
    // Reading a named pipe would wait for a writer.
    if (!statSync(path).isFile()) throw new Error('it is not a regular file')
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

/**
 * If two programs create a key at the same time, both use the same one: a link never replaces a file, and is never half
 * written.
 */
function makeKey(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(temporary, path)
  } catch (thrown) {
    // Some file systems have no links.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  const key = readOwned(path)
  if (key === null) throw new Error('it was removed at once')
  return key
}
