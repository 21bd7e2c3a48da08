/**
 * Files below a folder that somebody else may have filled, as a clone is or an earlier export. Below that folder no
 * symbolic link is followed: not to read, not to write and not to remove. Each function throws an Error that says why.
 */
import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a folder holds; nothing where it does not exist. @param path below `base`, with "/" between its parts */
export async function listFolder(base: string, path: string): Promise<Dirent[]> {
  return (await isFolder(base, path)) ? readdir(join(base, path), { withFileTypes: true }) : []
}

/** @param maxBytes a larger file is not read */
export async function readTextFile(base: string, path: string, maxBytes: number): Promise<string> {
  await isFolder(base, dirname(path))
  const file = join(base, path)
  const status = await lstat(file)
  if (status.isSymbolicLink()) throw new Error('it is a symbolic link, which is not followed')
  if (!status.isFile()) throw new Error('it is not a regular file')
  if (status.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
  return readFile(file, 'utf8')
}

/** Writes a file whole or not at all, in place of what has its name, and creates the folders on the way. */
export async function writeWholeFile(
  base: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  await isFolder(base, dirname(path))
  const file = join(base, path)
  await mkdir(dirname(file), { recursive: true })
  const temporary = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeFile(temporary, content, { flag: 'wx' })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes a file, or the link in its place; nothing where there is none. */
export async function removeFile(base: string, path: string): Promise<void> {
  if (await isFolder(base, dirname(path))) await rm(join(base, path), { force: true })
}

/** Moves a folder; nothing where it does not exist, or where a folder of the new name holds something. */
export async function moveFolder(base: string, path: string, next: string): Promise<void> {
  if (!(await isFolder(base, path)) || (await listFolder(base, next)).length > 0) return
  await rmdir(join(base, next)).catch(() => {})
  await rename(join(base, path), join(base, next))
}

/** Whether a folder exists below `base`. Throws where a part of the way is a link or a file. */
async function isFolder(base: string, path: string): Promise<boolean> {
  let folder = base
  for (const part of path.split('/')) {
    folder = join(folder, part)
    const status = await lstat(folder).catch(() => null)
    if (status === null) return false
    // The folder itself may be reached over a link: the user named it.
    if (folder !== base && !status.isDirectory())
      throw new Error(`${folder} is not a folder (symbolic links are not followed)`)
  }
  return true
}
